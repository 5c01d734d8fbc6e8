package dev.millrace.regions.sim;

import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.cycle.LimitCycle;
import dev.millrace.regions.cycle.LimitStep;
import dev.millrace.regions.cycle.OwnGauges;
import dev.millrace.regions.cycle.RegionDeclaration;
import dev.millrace.regions.ledger.EvictionSeal;
import dev.millrace.regions.ledger.GlobalLimit;
import dev.millrace.regions.ledger.LimitLedger;
import dev.millrace.regions.peers.LimitKey;
import dev.millrace.regions.peers.PeerView;
import dev.millrace.regions.snapshot.EncodedSnapshot;
import dev.millrace.regions.snapshot.PeerSink;
import dev.millrace.regions.snapshot.SnapshotHeader;
import dev.millrace.regions.snapshot.SnapshotReadResult;
import dev.millrace.regions.snapshot.SnapshotReader;
import dev.millrace.regions.snapshot.SnapshotRow;
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
                other, version, version.sha256(), new PeerSink(peers, nowMs + clockOffsetMs));
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
    OwnGauges own =
        new OwnGauges(
            balanceMilli(nowMs),
            bucket.consumedMilli() - lastConsumedMilli,
            nowMs - lastCycleMs,
            false);
    lastConsumedMilli = bucket.consumedMilli();
    lastCycleMs = nowMs;
    return LimitCycle.step(
        declaration, global, policy, KEY, peers, ledger, own, nowMs + clockOffsetMs);
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
