package dev.millrace.regions.internal.ledger;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.internal.ledger.ShareAllocation.RegionDemand.Presence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One region's step in one window, for one limit: it inherits, credits what others gave it, and
 * gives what others need more. The write that follows must change ledger and bucket together, and
 * be made before the ledger is published.
 *
 * <p>A region takes this step for every limit that is active in itself or in the snapshot of
 * another: a limit that is unused here may be needed there.
 */
public final class LimitCycle {
  private final RegionDeclaration declaration;
  private final GlobalLimit limit;
  private final AllocationPolicy policy;
  private final LimitKey key;
  private final PeerView peers;
  private final long nowMs;

  private final List<RowReceipt.Refused> refusals = new ArrayList<>();
  private LimitLedger ledger;
  private long tokensMilli;

  /** Regions whose rows are less than what was credited from them: they get nothing meanwhile. */
  private final Set<String> shrunk = new HashSet<>();

  /**
   * The cycle of one window.
   *
   * @param ledger the region's own, as it is stored
   * @param nowMs by the region's own clock
   */
  public LimitCycle(
      RegionDeclaration declaration,
      GlobalLimit limit,
      AllocationPolicy policy,
      LimitKey key,
      PeerView peers,
      LimitLedger ledger,
      long nowMs) {
    this.declaration = declaration;
    this.limit = limit;
    this.policy = policy;
    this.key = key;
    this.peers = peers;
    this.ledger = ledger;
    this.nowMs = nowMs;
  }

  /** The step to take. */
  public LimitStep step(OwnGauges own) {
    if (hasForgotten()) {
      return new LimitStep(ledger, 0, List.of(), refusals);
    }
    evict();
    receive();
    List<ShareAllocation.Transfer> gifts = give(own);
    return new LimitStep(ledger, tokensMilli, gifts, refusals);
  }

  /**
   * The step after an operator has declared that the others' rows are right, and this region's are
   * those of an old copy. It gives nothing.
   *
   * @throws IllegalArgumentException when another region has never published, or this one would
   *     hold less than nothing
   */
  public LimitStep reconciliation() {
    Map<String, TransferRows> others = new TreeMap<>();
    for (String other : others()) {
      if (peers.sequence(other) < 0) {
        throw new IllegalArgumentException(
            "region '" + other + "' has not published yet: its rows are needed");
      }
      others.put(other, dealings(other));
    }
    ledger.agreeingWith(others).ifPresent(this::apply);
    return new LimitStep(ledger, tokensMilli, List.of(), List.of());
  }

  /**
   * A ledger that was restored from an old copy neither gives nor takes until an operator has
   * declared which one is right: it may contain what it gave since.
   */
  private boolean hasForgotten() {
    for (String other : others()) {
      if (ledger.hasForgotten(other, dealings(other))) {
        refusals.add(
            new RowReceipt.Refused(
                RowReceipt.Reason.FORGOTTEN,
                "'%s' has credited %s of '%s', which has given %s; declare which is right: regions reconcile"
                    .formatted(
                        other,
                        dealings(other).got(ledger.region()),
                        ledger.region(),
                        ledger.dealings().gave(other))));
      }
    }
    return !refusals.isEmpty();
  }

  private void evict() {
    declaration
        .sealFor(ledger)
        .filter(seal -> ledger.canSeal(seal))
        .ifPresent(seal -> ledger = ledger.seal(seal));
    if (ledger.pending() == null) {
      return;
    }
    Map<String, LimitLedger.SealedRows> others = new HashMap<>();
    for (String other : declaration.regions()) { // also those that sealed and were evicted since
      // A sealed snapshot has every limit with transfers to or from the evicted: a missing one has
      // none.
      others.put(other, new LimitLedger.SealedRows(peers.sealsOf(other), dealings(other)));
    }
    ledger.inherit(others).ifPresent(this::apply);
  }

  private void receive() {
    for (String other : others()) {
      TransferRow published = dealings(other).gave(ledger.region());
      RowReceipt receipt = ledger.receive(other, published);
      if (receipt instanceof RowReceipt.Credited credited) {
        apply(credited.move());
      } else if (receipt instanceof RowReceipt.Refused refused) {
        refusals.add(refused);
        if (refused.reason() == RowReceipt.Reason.SHRUNK) {
          shrunk.add(other);
        }
      }
    }
  }

  private List<ShareAllocation.Transfer> give(OwnGauges own) {
    List<ShareAllocation.RegionDemand> needs = new ArrayList<>();
    needs.add(ownNeed(own));
    for (String other : others()) {
      needs.add(need(other));
    }
    List<ShareAllocation.Transfer> gifts = new ArrayList<>();
    for (ShareAllocation.Transfer gift : ShareAllocation.of(limit.whole(), policy, needs).gifts()) {
      if (gift.from().equals(ledger.region())
          && gift.ppm() <= ledger.sharePpm()
          && !shrunk.contains(gift.to())) {
        long milli = limit.tokensWith(gift.ppm(), ledger.sharePpm(), balanceMilli(own));
        apply(ledger.give(gift.to(), gift.ppm(), milli));
        gifts.add(gift);
      }
    }
    return gifts;
  }

  private void apply(LimitLedger.Change move) {
    ledger = move.ledger();
    tokensMilli = SaturatedMath.add(tokensMilli, move.tokensMilli());
  }

  private long balanceMilli(OwnGauges own) {
    return Math.min(
        SaturatedMath.add(own.balanceMilli(), tokensMilli), limit.ceilingMilli(ledger.sharePpm()));
  }

  private ShareAllocation.RegionDemand ownNeed(OwnGauges own) {
    return new ShareAllocation.RegionDemand(
        ledger.region(),
        ledger.sharePpm() + comingTo(ledger.region(), ledger.dealings()),
        inOneWindow(own.consumedMilli(), own.elapsedMs()),
        inOneWindow(
            SaturatedMath.add(own.consumedMilli(), Math.max(0, own.balanceMilli())),
            own.elapsedMs()),
        balanceMilli(own),
        own.refused(),
        presence(ledger.region()));
  }

  private ShareAllocation.RegionDemand need(String other) {
    PeerLimit known = peers.find(other, key);
    long held = known == null ? base(other) : known.latest().sharePpm();
    long share = Math.min(Ppm.WHOLE, held + comingTo(other, dealings(other)));
    if (peers.ageMs(other, nowMs) > policy.staleAfterMs()) {
      return ShareAllocation.RegionDemand.stale(other, share);
    }
    long ceiling = limit.ceilingMilli(share);
    if (known == null || known.latest().sequence() < peers.sequence(other)) {
      return new ShareAllocation.RegionDemand(
          other, share, 0, ceiling, ceiling, false, presence(other)); // unused
    }
    PeerLimit.Gauges latest = known.latest();
    return new ShareAllocation.RegionDemand(
        other,
        share,
        inOneWindow(known.consumedMilli(), known.elapsedMs()),
        inOneWindow(availableMilli(known), known.elapsedMs()),
        latest.tokensMilli(),
        known.wasRefused(),
        presence(other));
  }

  /** Its balance after the snapshot before, plus the credit since at the share of then. */
  private long availableMilli(PeerLimit known) {
    PeerLimit.Gauges before = known.earlier();
    if (before == null) {
      return 0;
    }
    long wholeMilli = limit.whole().refill().creditMilli(0, known.elapsedMs());
    return SaturatedMath.add(
        Math.max(0, before.tokensMilli()), Ppm.partOf(wholeMilli, before.sharePpm()));
  }

  private long base(String other) {
    return Math.max(0, ledger.founding().basePpm(other));
  }

  private Presence presence(String region) {
    return declaration.draining().contains(region) ? Presence.DRAINING : Presence.PRESENT;
  }

  /** The rows given to {@code to} that it has not credited, as far as known. */
  private long comingTo(String to, TransferRows ofReceiver) {
    long sum = 0;
    for (String from : declaration.left()) {
      if (!from.equals(to)) {
        TransferRow gave =
            from.equals(ledger.region()) ? ledger.dealings().gave(to) : dealings(from).gave(to);
        sum += Math.max(0, gave.ppm() - ofReceiver.got(from).ppm());
      }
    }
    return sum;
  }

  private long inOneWindow(long consumedMilli, long elapsedMs) {
    if (elapsedMs <= 0) {
      return 0;
    }
    // As quotient and remainder, so that it stays within 64 bits.
    return SaturatedMath.add(
        SaturatedMath.multiply(consumedMilli / elapsedMs, policy.windowMs()),
        consumedMilli % elapsedMs * policy.windowMs() / elapsedMs);
  }

  private List<String> others() {
    return declaration.left().stream().filter(name -> !name.equals(ledger.region())).toList();
  }

  private TransferRows dealings(String other) {
    @Nullable PeerLimit known = peers.find(other, key);
    return known == null ? TransferRows.NONE : known.dealings();
  }

  /**
   * The state of the region's own bucket.
   *
   * @param balanceMilli the balance now, credited at the current rate
   * @param consumedMilli the consumption since the last cycle
   * @param elapsedMs the time since the last cycle
   * @param refused whether requests are known to have been refused since
   */
  public record OwnGauges(long balanceMilli, long consumedMilli, long elapsedMs, boolean refused) {}
}
