package dev.millrace.aggregator.internal;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.dynamodb.internal.item.BucketChange;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content of a stream record, read completely before anything follows from it. */
sealed interface RecordContent {
  /** A record without relevance here. */
  RecordContent IRRELEVANT = new Irrelevant();

  record Irrelevant() implements RecordContent {}

  /** An invalid record. */
  record Poison(String error) implements RecordContent {}

  /** An audit event was created. */
  record Audit(AuditEvent event) implements RecordContent {}

  /**
   * A bucket was written.
   *
   * @param source the shard and stream of these records, as usage items store them
   * @param atMs the time
   * @param consumedMilli by limit; empty when nothing was consumed
   * @param load the write load of the shard, null when it is not reported
   */
  record Bucket(
      BucketKey key,
      UsageSource source,
      SequenceNumber number,
      long atMs,
      Map<String, Long> consumedMilli,
      BucketChange.@Nullable Load load)
      implements RecordContent {
    static UsageSource source(String stream, BucketChange change) {
      return new UsageSource(
          stream, change.beforeShards() ? UsageWrite.BEFORE_SHARDS : change.key().shard());
    }
  }
}
