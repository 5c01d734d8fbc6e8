package dev.millrace.aggregator.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.directory.AuditEvent;
import dev.millrace.core.usage.SequenceNumber;
import dev.millrace.core.usage.UsageSource;
import dev.millrace.core.usage.UsageWrite;
import dev.millrace.dynamodb.item.BucketChange;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a record of the stream tells, read completely before anything follows from it. */
sealed interface Reading {
  /** Nothing that is of interest here. */
  record Nothing() implements Reading {
    static final Nothing INSTANCE = new Nothing();
  }

  /** It could not be understood. */
  record Poison(String error) implements Reading {}

  /** An audit event was made. */
  record Audit(AuditEvent event) implements Reading {}

  /**
   * A bucket was written.
   *
   * @param source which shard's records these are, of which stream, as usage remembers them
   * @param atMs when
   * @param consumedMilli by limit; empty when nothing was
   * @param load how hard the shard is written, null when that is not told
   */
  record Bucket(
      BucketKey key,
      UsageSource source,
      SequenceNumber number,
      long atMs,
      Map<String, Long> consumedMilli,
      BucketChange.@Nullable Load load)
      implements Reading {
    static UsageSource source(String stream, BucketChange change) {
      return new UsageSource(
          stream, change.beforeShards() ? UsageWrite.BEFORE_SHARDS : change.key().shard());
    }
  }
}
