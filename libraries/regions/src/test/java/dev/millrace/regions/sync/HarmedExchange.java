package dev.millrace.regions.sync;

import dev.millrace.regions.exchange.Fetched;
import dev.millrace.regions.exchange.Published;
import dev.millrace.regions.exchange.SnapshotExchange;
import dev.millrace.regions.sim.UnreliableBucket;
import dev.millrace.regions.snapshot.EncodedSnapshot;
import org.jspecify.annotations.Nullable;

/** S3 at its worst, as a process sees it that may die before and after every call. */
final class HarmedExchange implements SnapshotExchange {
  private final UnreliableBucket s3;
  private final Harm harm;

  HarmedExchange(UnreliableBucket s3, Harm harm) {
    this.s3 = s3;
    this.harm = harm;
  }

  @Override
  public Published publish(String region, EncodedSnapshot snapshot) {
    harm.pass();
    boolean there = s3.put(region, snapshot);
    harm.crash();
    return there && !harm.happens(50) ? new Published.Done() : new Published.Failed("no answer");
  }

  @Override
  public Fetched fetch(String region, @Nullable String lastEtag) {
    harm.pass();
    EncodedSnapshot snapshot = s3.get(region);
    if (snapshot == null) {
      return harm.happens(500) ? new Fetched.Failed("no answer") : new Fetched.Missing();
    }
    String etag = Integer.toHexString(System.identityHashCode(snapshot));
    return etag.equals(lastEtag) ? new Fetched.NotModified() : new Fetched.Found(snapshot, etag);
  }
}
