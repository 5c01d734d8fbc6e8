package dev.millrace.regions.sim;

import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.EvictionSeal;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A region as a process: what is stored survives a crash, what it knows of others does not.
 * Reading, enforcing and publishing are separate steps, and it may crash between any two.
 */
class SimRegion {
  static final LimitKey KEY = new LimitKey("acme", "gpt-4", "rpm");

  final String name;
  final RegionBucket bucket;
  final GlobalLimit global;
  final AllocationPolicy policy;
  private final long clockOffsetMs;

  LimitLedger ledger;
  private long sequence;
  private PeerView peers = new PeerView();
  private long lastConsumedMilli;
  private long lastCycleMs;
  private List<EvictionSeal> publishedSeals = List.of();
  private int gifts;
  private int refused;

  SimRegion(
      String name,
      GlobalLimit global,
      AllocationPolicy policy,
      LimitLedger ledger,
      long clockOffsetMs,
      long nowMs) {
    this.name = name;
    this.global = global;
    this.policy = policy;
    this.ledger = ledger;
    this.clockOffsetMs = clockOffsetMs;
    this.bucket = new RegionBucket(global, ledger.sharePpm(), nowMs + clockOffsetMs);
    this.lastCycleMs = nowMs;
  }

  boolean consume(long milli, long nowMs) {
    return bucket.consume(milli, nowMs + clockOffsetMs);
  }

  long balanceMilli(long nowMs) {
    return bucket.balanceMilli(nowMs + clockOffsetMs);
  }

  void crash() {
    peers = new PeerView();
  }

  /** Reads the snapshots of others. */
  void read(RegionDeclaration declaration, UnreliableBucket s3, long nowMs) throws IOException {
    for (String other : declaration.regions()) {
      @Nullable EncodedSnapshot version = other.equals(name) ? null : s3.get(other);
      if (version != null) {
        SnapshotReadResult reading =
            SnapshotReader.read(
                other, version, new SnapshotSink.PeerSink(peers, nowMs + clockOffsetMs));
        refused += reading instanceof SnapshotReadResult.Refused ? 1 : 0;
      }
    }
  }

  /** Takes the step: ledger and bucket change together. */
  void enforce(RegionDeclaration declaration, long nowMs) {
    LimitStep step = plan(declaration, nowMs);
    ledger = step.ledger();
    bucket.reparameterise(ledger.sharePpm(), step.tokensMilli(), nowMs + clockOffsetMs);
    gifts += step.gifts().size();
  }

  LimitStep plan(RegionDeclaration declaration, long nowMs) {
    LimitCycle.OwnGauges own =
        new LimitCycle.OwnGauges(
            balanceMilli(nowMs),
            bucket.consumedMilli() - lastConsumedMilli,
            nowMs - lastCycleMs,
            false);
    lastConsumedMilli = bucket.consumedMilli();
    lastCycleMs = nowMs;
    return new LimitCycle(declaration, global, policy, KEY, peers, ledger, nowMs + clockOffsetMs)
        .step(own);
  }

  /** Tells the others what is stored. */
  void publish(UnreliableBucket s3, long nowMs) throws IOException {
    publish(ledger, s3, nowMs);
  }

  void publish(LimitLedger told, UnreliableBucket s3, long nowMs) throws IOException {
    SnapshotHeader header =
        new SnapshotHeader(
            name, ++sequence, nowMs + clockOffsetMs, policy.windowMs(), told.seals(), 1);
    SnapshotRow row =
        new SnapshotRow(
            KEY,
            bucket.consumedMilli(),
            balanceMilli(nowMs),
            global.whole().capacityMilli(),
            told.sharePpm(),
            0,
            told.dealings());
    if (s3.put(name, EncodedSnapshot.of(header, List.of(row)))) {
      publishedSeals = told.seals();
    }
  }

  List<EvictionSeal> publishedSeals() {
    return publishedSeals;
  }

  int gifts() {
    return gifts;
  }

  int refused() {
    return refused;
  }
}
