package dev.millrace.client.internal.write;

import dev.millrace.BucketKey;
import dev.millrace.DisabledBucket;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that follow a later version of some record than a request knew, each with the stamp
 * that it was last seen with.
 *
 * <p>All records are then looked up strongly consistent. Versions only grow, so what is looked up
 * is at least as new as every stamp that was seen before. Where it is not, records were lost or set
 * back behind the buckets' backs; {@link #behind} finds that.
 */
public record NewerConfig(Map<BucketKey, ConfigStamp> stamps) {
  public static final NewerConfig NONE = new NewerConfig(Map.of());

  public static NewerConfig of(ResolvedRequest prepared, LegOutcomes ends) {
    Map<BucketKey, ConfigStamp> stamps = null;
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      ConfigStamp stamp = null;
      if (ends.outcomes().get(i) instanceof Outcome.Outdated outdated) {
        stamp = outdated.stamp();
      } else if (ends.isAdmitted(i)) {
        stamp = leg.newerStamp();
      }
      if (stamp != null) {
        stamps = stamps == null ? new HashMap<>() : stamps;
        put(stamps, leg.key(), stamp);
      }
    }
    return stamps == null ? NONE : new NewerConfig(stamps);
  }

  /** The buckets that were last seen to be ahead. */
  public static NewerConfig of(List<Leg> legs) {
    Map<BucketKey, ConfigStamp> stamps = new HashMap<>();
    for (Leg leg : legs) {
      ConfigStamp stamp = leg.newerStamp();
      if (stamp != null) {
        put(stamps, leg.key(), stamp);
      }
    }
    return new NewerConfig(stamps);
  }

  public static NewerConfig of(
      ResolvedRequest prepared,
      TransactionProtocol.Outcome.Outdated outdated,
      TransactionProtocol.Result result) {
    Map<BucketKey, ConfigStamp> stamps = new HashMap<>();
    for (int part : outdated.parts()) {
      BucketSnapshot seen = result.snapshots().get(part);
      ConfigStamp stamp = seen == null ? ConfigStamp.CALL : seen.state().stamp();
      put(stamps, prepared.legs().get(part).key(), stamp);
    }
    return new NewerConfig(stamps);
  }

  /** Of several shards of a bucket the latest version of each record counts. */
  private static void put(Map<BucketKey, ConfigStamp> stamps, BucketKey key, ConfigStamp stamp) {
    stamps.merge(key.withShard(0), stamp, ConfigStamp::with);
  }

  public boolean isEmpty() {
    return stamps.isEmpty();
  }

  /** A bucket that was seen switched off, null for none. */
  public @Nullable DisabledBucket off() {
    for (Map.Entry<BucketKey, ConfigStamp> each : stamps.entrySet()) {
      if (each.getValue().disabled()) {
        return new DisabledBucket(each.getKey().entityId(), each.getKey().resource());
      }
    }
    return null;
  }

  /**
   * A leg of the request, as it was looked up after that, which still does not know all that its
   * bucket follows; null for none, as it must be.
   */
  public @Nullable Leg behind(ResolvedRequest lookedUp) {
    if (isEmpty()) {
      return null;
    }
    for (Leg leg : lookedUp.legs()) {
      ConfigStamp stamp = stampOf(leg);
      if (stamp != null && !leg.terms().stamp().isAtLeast(stamp)) {
        return leg;
      }
    }
    return null;
  }

  /** The stamp that the bucket of a leg was seen with, null when it was not ahead. */
  public @Nullable ConfigStamp stampOf(Leg leg) {
    return stamps.get(leg.key().withShard(0));
  }
}
