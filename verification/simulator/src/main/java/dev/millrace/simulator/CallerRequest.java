package dev.millrace.simulator;

import dev.millrace.BucketKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One request of a caller on its way: what it may have been charged, as the caller knows it. */
final class CallerRequest {
  private static final long NANOS_PER_MS = 1_000_000;

  private final Action.Ask ask;
  private final Life life;
  private final Map<String, Map<String, Long>> wants;
  private List<SimulatedTree.Part> parts;
  private List<SimulatedTree.Part> adjusted;
  private Set<String> chain;
  private final long askedNanos;
  private final long askedMs;
  private final long callsBefore;
  private final ExpectedAnswer expected;
  private final long writesBefore;
  private final boolean alone;
  private long askedBefore;
  private long repairsBefore;
  private boolean othersMet;
  private final Map<BucketKey, Integer> troublesBefore = new HashMap<>();
  private boolean answered;
  private boolean degraded;
  private boolean comesAgain;
  private final Map<BucketKey, Integer> again = new HashMap<>();
  private List<SimulatedTree.Part> charged = List.of();

  CallerRequest(
      Action.Ask ask,
      Life life,
      Map<String, Map<String, Long>> wants,
      List<SimulatedTree.Part> parts,
      List<SimulatedTree.Part> adjusted,
      Set<String> chain,
      long askedNanos,
      ExpectedAnswer expected,
      long writesBefore) {
    this.ask = ask;
    this.life = life;
    this.wants = wants;
    this.parts = parts;
    this.adjusted = adjusted;
    this.chain = chain;
    this.askedNanos = askedNanos;
    this.askedMs = life.time().elapsedMs();
    this.callsBefore = life.calls();
    this.expected = expected;
    this.writesBefore = writesBefore;
    this.alone = life.open() == 0 && life.ending() == 0;
    noteTroubles();
  }

  Action.Ask ask() {
    return ask;
  }

  Life life() {
    return life;
  }

  /** What it wants, by resource and limit. */
  Map<String, Map<String, Long>> wants() {
    return wants;
  }

  /** The entity, or somebody above it, begins to move: it may be charged here or there. */
  void moves(
      List<SimulatedTree.Part> eitherWay,
      List<SimulatedTree.Part> adjustedEitherWay,
      Set<String> everybody) {
    parts = joined(eitherWay, parts);
    adjusted = joined(adjustedEitherWay, adjusted);
    Set<String> union = new LinkedHashSet<>(chain);
    union.addAll(everybody);
    chain = union;
    noteNewTroubles();
  }

  /** {@code parts}, and those of {@code others} that are about other buckets and not sure. */
  private static List<SimulatedTree.Part> joined(
      List<SimulatedTree.Part> parts, List<SimulatedTree.Part> others) {
    Set<BucketKey> known = new HashSet<>();
    parts.forEach(part -> known.add(part.key()));
    List<SimulatedTree.Part> all = new ArrayList<>(parts);
    for (SimulatedTree.Part part : others) {
      if (known.add(part.key())) {
        all.add(new SimulatedTree.Part(part.key(), part.milli(), /* sure= */ false));
      }
    }
    return all;
  }

  private void noteNewTroubles() {
    for (SimulatedTree.Part part : parts) {
      troublesBefore.putIfAbsent(part.key(), life.troubles(part.key()));
    }
    for (SimulatedTree.Part part : adjusted) {
      troublesBefore.putIfAbsent(part.key(), life.troubles(part.key()));
    }
  }

  /** The entity and all whom it may belong to, limits or not. */
  Set<String> chain() {
    return chain;
  }

  List<SimulatedTree.Part> parts() {
    return parts;
  }

  /** What its lease is adjusted by, in every bucket that has one of the limits. */
  List<SimulatedTree.Part> adjusted() {
    return adjusted;
  }

  /** More was consumed on its lease: adjustments reach the buckets of that request too. */
  void adjustsAlso(List<SimulatedTree.Part> more) {
    adjusted = joined(adjusted, more);
  }

  long askedNanos() {
    return askedNanos;
  }

  /** How long it has been under way, as its process counts: clocks drift. */
  long waitedMs() {
    return life.time().elapsedMs() - askedMs;
  }

  ExpectedAnswer expected() {
    return expected;
  }

  /** How many writes had been made when it was asked. */
  long writesBefore() {
    return writesBefore;
  }

  /** Whether its process has had nothing else to do since it was asked. */
  boolean wasAlone() {
    return alone && life.asked() == askedBefore;
  }

  /** Whether its process has sent nothing since it was asked. */
  boolean isSilent() {
    return life.calls() == callsBefore;
  }

  /** It is on its way. */
  void begun(long repairs, long lostLocks) {
    askedBefore = life.asked();
    repairsBefore = repairs;
    othersMet = lostLocks > 0;
  }

  /** Whether a write had been in vain before it was asked, because somebody else was faster. */
  boolean wereOthersMet() {
    return othersMet;
  }

  /** How often something had made a request dearer when it was asked. */
  long repairsBefore() {
    return repairsBefore;
  }

  boolean isAnswered() {
    return answered;
  }

  void answered() {
    answered = true;
  }

  /** Whether a part of it may not have been charged, because the store was away. */
  boolean isDegraded() {
    return degraded;
  }

  void degraded() {
    degraded = true;
  }

  /**
   * Whether it may have been charged more than once, because it came again: who waits does, and who
   * found the configuration changed, one of several buckets divided, or the store throttling. What
   * was charged before was given back, and that may be lost.
   */
  boolean mayComeAgain() {
    return comesAgain || ask.maxWaitMs() > 0;
  }

  void comesAgain() {
    comesAgain = true;
  }

  /** How often a bucket may have been charged for it. */
  int times(BucketKey key) {
    return 1 + again.getOrDefault(key, 0);
  }

  void mayBeChargedAgain(BucketKey key) {
    again.merge(key, 1, Integer::sum);
  }

  /** Everything that was charged for it: its own parts, and what was consumed beside. */
  List<SimulatedTree.Part> charged() {
    return charged;
  }

  void charged(List<SimulatedTree.Part> more) {
    List<SimulatedTree.Part> all = new ArrayList<>(charged);
    all.addAll(more);
    charged = all;
  }

  /** From now on troubles count. */
  void noteTroubles() {
    for (SimulatedTree.Part part : parts) {
      troublesBefore.put(part.key(), life.troubles(part.key()));
    }
    for (SimulatedTree.Part part : adjusted) {
      troublesBefore.put(part.key(), life.troubles(part.key()));
    }
    for (SimulatedTree.Part part : charged) {
      troublesBefore.put(part.key(), life.troubles(part.key()));
    }
  }

  /** Whether nothing went wrong with a bucket since troubles were noted. */
  boolean isClean(BucketKey key) {
    return life.isAlive() && life.troubles(key) == troublesBefore.getOrDefault(key, 0);
  }

  /**
   * Whether nothing can have been given up and left for later: within half of the time limit
   * nothing is, unless a thread is interrupted.
   */
  boolean isQuick(long nowNanos) {
    return life.interruptedNanos() < askedNanos
        && (nowNanos - askedNanos) * 2 < life.spec().timeoutMs() * NANOS_PER_MS;
  }
}
