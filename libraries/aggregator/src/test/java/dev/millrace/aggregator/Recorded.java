package dev.millrace.aggregator;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Records of one bucket shard that consumes, for tests that need few. */
final class Recorded {
  static final long AT_MS = 1_800_000_000_000L;
  static final Limit RPM = Limit.perMinute("rpm", 1_000_000);

  private Recorded() {}

  /** A bucket that has consumed {@code milli}. */
  static BucketState bucket(BucketKey key, Division division, long milli, long wcuMilli) {
    return new BucketState(
        key,
        AT_MS,
        List.of(new LimitState(RPM, 0, milli)),
        division,
        wcuMilli,
        BucketState.NEVER,
        "op" + milli,
        ConfigStamp.CALL);
  }

  /** The record number {@code number}, by which an undivided bucket has consumed one token more. */
  static StreamRecord record(String entity, int number) {
    BucketKey key = BucketKey.first("default", entity, "gpt-4");
    BucketState before = number == 1 ? null : bucket(key, Division.NONE, 1_000L * (number - 1), 0);
    return Images.record(
        Integer.toString(number), AT_MS, before, bucket(key, Division.NONE, 1_000L * number, 0));
  }

  /** One that nobody understands. */
  static StreamRecord poison(int number) {
    StreamRecord record = record("poison", number);
    return new StreamRecord(
        record.sequenceNumber(),
        record.createdAtMs(),
        OperationType.UNKNOWN_TO_SDK_VERSION,
        false,
        record.keys(),
        record.oldImage(),
        record.newImage());
  }
}
