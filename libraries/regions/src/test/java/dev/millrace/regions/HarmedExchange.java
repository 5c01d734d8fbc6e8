package dev.millrace.regions;

import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.regions.sim.UnreliableBucket;
import org.jspecify.annotations.Nullable;

/** S3 at its worst, as a process sees it that may die before and after every call. */
final class HarmedExchange implements SnapshotExchange {
  private final UnreliableBucket s3;
  private final RandomFaults harm;

  HarmedExchange(UnreliableBucket s3, RandomFaults harm) {
    this.s3 = s3;
    this.harm = harm;
  }

  @Override
  public SnapshotExchange.PublishResult publish(String region, EncodedSnapshot snapshot) {
    harm.pass();
    boolean there = s3.put(region, snapshot);
    harm.crash();
    return there && !harm.happens(50)
        ? new SnapshotExchange.PublishResult.Done()
        : new SnapshotExchange.PublishResult.Failed("no answer");
  }

  @Override
  public SnapshotExchange.FetchResult fetch(String region, @Nullable String lastEtag) {
    harm.pass();
    EncodedSnapshot snapshot = s3.get(region);
    if (snapshot == null) {
      return harm.happens(500)
          ? new SnapshotExchange.FetchResult.Failed("no answer")
          : new SnapshotExchange.FetchResult.Missing();
    }
    String etag = Integer.toHexString(System.identityHashCode(snapshot));
    return etag.equals(lastEtag)
        ? new SnapshotExchange.FetchResult.NotModified()
        : new SnapshotExchange.FetchResult.Found(snapshot, etag);
  }
}
