package dev.millrace.regions.sync;

import dev.millrace.regions.exchange.FetchResult;
import dev.millrace.regions.exchange.PublishResult;
import dev.millrace.regions.exchange.SnapshotExchange;
import dev.millrace.regions.sim.UnreliableBucket;
import dev.millrace.regions.snapshot.EncodedSnapshot;
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
  public PublishResult publish(String region, EncodedSnapshot snapshot) {
    harm.pass();
    boolean there = s3.put(region, snapshot);
    harm.crash();
    return there && !harm.happens(50)
        ? new PublishResult.Done()
        : new PublishResult.Failed("no answer");
  }

  @Override
  public FetchResult fetch(String region, @Nullable String lastEtag) {
    harm.pass();
    EncodedSnapshot snapshot = s3.get(region);
    if (snapshot == null) {
      return harm.happens(500) ? new FetchResult.Failed("no answer") : new FetchResult.Missing();
    }
    String etag = Integer.toHexString(System.identityHashCode(snapshot));
    return etag.equals(lastEtag)
        ? new FetchResult.NotModified()
        : new FetchResult.Found(snapshot, etag);
  }
}
