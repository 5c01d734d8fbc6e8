package dev.millrace.benchmarks.regions;

import dev.millrace.Limit;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.LimitCycle;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.LimitStep;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.RegionDeclaration;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotHeader;
import dev.millrace.regions.internal.snapshot.SnapshotReadResult;
import dev.millrace.regions.internal.snapshot.SnapshotReader;
import dev.millrace.regions.internal.snapshot.SnapshotRow;
import dev.millrace.regions.internal.snapshot.SnapshotSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Regions that exchange rights, with the ledger, the allocation and the snapshots of the product.
 * They see of each other what buckets tell; that requests were refused, buckets do not know.
 */
final class Rights implements Fleet {
  private static final LimitKey KEY = new LimitKey("acme", "gpt-4", "rpm");

  private final RegionDeclaration declaration;
  private final GlobalLimit global;
  private final AllocationPolicy policy;
  private final List<Region> regions = new ArrayList<>();
  private final Map<String, EncodedSnapshot> published = new TreeMap<>();
  private long gifts;

  private static final class Region {
    final SimBucket bucket;
    final PeerView peers = new PeerView();
    LimitLedger ledger;
    long sequence;
    long consumedMilli;
    long exchangedAtMs;

    Region(SimBucket bucket, LimitLedger ledger, long nowMs) {
      this.bucket = bucket;
      this.ledger = ledger;
      this.exchangedAtMs = nowMs;
    }
  }

  Rights(Limit limit, int count, AllocationPolicy policy, long nowMs) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("region-" + i);
    }
    this.declaration = RegionDeclaration.of(names);
    this.policy = policy;
    this.global = GlobalLimit.of(limit, policy.floorPpm(count));
    for (String name : names) {
      LimitLedger ledger = declaration.initial(name);
      Limit part = global.part(ledger.sharePpm()).orElseThrow();
      regions.add(new Region(new SimBucket(part, nowMs), ledger, nowMs));
    }
  }

  long gifts() {
    return gifts;
  }

  @Override
  public boolean ask(int region, long nowMs) {
    return regions.get(region).bucket.consume(Limit.MILLI, nowMs);
  }

  @Override
  public void exchange(int index, long nowMs) {
    Region region = regions.get(index);
    try {
      read(region, nowMs);
      enforce(region, nowMs);
      publish(region, nowMs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(Region region, long nowMs) throws IOException {
    for (Map.Entry<String, EncodedSnapshot> other : published.entrySet()) {
      if (!other.getKey().equals(region.ledger.region())) {
        EncodedSnapshot snapshot = other.getValue();
        SnapshotReadResult reading =
            SnapshotReader.read(
                other.getKey(), snapshot, new SnapshotSink.PeerSink(region.peers, nowMs));
        if (reading instanceof SnapshotReadResult.Refused refused) {
          throw new IllegalStateException("a snapshot was refused: " + refused);
        }
      }
    }
  }

  private void enforce(Region region, long nowMs) {
    long consumedMilli = region.bucket.consumedMilli();
    LimitCycle.OwnGauges own =
        new LimitCycle.OwnGauges(
            region.bucket.balanceMilli(nowMs),
            consumedMilli - region.consumedMilli,
            nowMs - region.exchangedAtMs,
            /* refused= */ false);
    LimitStep step =
        new LimitCycle(declaration, global, policy, KEY, region.peers, region.ledger, nowMs)
            .step(own);
    Limit part = global.part(step.ledger().sharePpm()).orElseThrow();
    region.bucket.reparameterise(part, step.tokensMilli(), nowMs);
    region.ledger = step.ledger();
    region.consumedMilli = consumedMilli;
    region.exchangedAtMs = nowMs;
    gifts += step.gifts().size();
  }

  private void publish(Region region, long nowMs) throws IOException {
    SnapshotHeader header =
        new SnapshotHeader(
            region.ledger.region(), ++region.sequence, nowMs, policy.windowMs(), List.of(), 1);
    SnapshotRow row =
        new SnapshotRow(
            KEY,
            region.bucket.consumedMilli(),
            region.bucket.balanceMilli(nowMs),
            global.whole().capacityMilli(),
            region.ledger.sharePpm(),
            0,
            region.ledger.dealings());
    published.put(region.ledger.region(), EncodedSnapshot.of(header, List.of(row)));
  }
}
