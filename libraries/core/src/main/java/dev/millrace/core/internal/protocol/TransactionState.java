package dev.millrace.core.internal.protocol;

import dev.millrace.BucketKey;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.internal.protocol.TransactionProtocol.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a transaction about its buckets, and what follows from it. Each answer of the
 * store makes a new one.
 */
final class TransactionState {
  private final List<Part> parts;
  private final PlanSettings settings;
  private final List<Seen> seen;

  private TransactionState(List<Part> parts, PlanSettings settings, List<Seen> seen) {
    this.parts = parts;
    this.settings = settings;
    this.seen = List.copyOf(seen);
  }

  /**
   * What is known of one bucket.
   *
   * @param snapshot the bucket as it was last seen, null when there is none or nobody looked
   * @param sure whether the store has told in this conversation, or a moment before, how the bucket
   *     is, or that there is none
   * @param trace what happened on the way
   */
  private record Seen(@Nullable BucketSnapshot snapshot, boolean sure, Trace trace) {
    /** Whether a refusal may rest on it. */
    boolean isTrusted(long nowMs) {
      return sure || (snapshot != null && snapshot.isTrusted(nowMs));
    }
  }

  /**
   * One part's write.
   *
   * @param part the index of the part
   * @param plannedAtMs when it was planned
   */
  record Planned(int part, WritePlan plan, long plannedAtMs) {}

  /** What is known before anything was asked; {@code absent} did not exist a moment ago. */
  static TransactionState of(
      List<Part> parts,
      PlanSettings settings,
      List<@Nullable BucketSnapshot> known,
      Set<Integer> absent) {
    List<Seen> seen = new ArrayList<>(known.size());
    for (int i = 0; i < known.size(); i++) {
      BucketSnapshot snapshot = known.get(i);
      seen.add(new Seen(snapshot, snapshot == null && absent.contains(i), Trace.EMPTY));
    }
    return new TransactionState(parts, settings, seen);
  }

  /** The parts of which nothing can be said without looking. */
  List<Integer> cold() {
    List<Integer> cold = new ArrayList<>(0);
    for (int i = 0; i < seen.size(); i++) {
      if (seen.get(i).snapshot() == null && !seen.get(i).sure()) {
        cold.add(i);
      }
    }
    return cold;
  }

  /** After {@code which} were read. */
  TransactionState read(List<Integer> which, Map<BucketKey, BucketState> found, long nowMs) {
    List<Seen> after = new ArrayList<>(seen);
    for (int i : which) {
      Seen before = seen.get(i);
      BucketState state = found.get(parts.get(i).key());
      BucketSnapshot snapshot =
          state == null ? null : BucketSnapshot.read(before.snapshot(), state, nowMs, settings);
      after.set(i, new Seen(snapshot, /* sure= */ true, before.trace()));
    }
    return new TransactionState(parts, settings, after);
  }

  /**
   * After a transaction that was made. It does not say what it left, so that is worked out; one
   * that was made on another state than was seen leaves what was seen.
   */
  TransactionState committed(List<Planned> planned, long nowMs) {
    List<Seen> after = new ArrayList<>(seen);
    for (Planned write : planned) {
      Seen before = seen.get(write.part());
      BucketSnapshot snapshot = before.snapshot();
      BucketState from = snapshot == null ? null : snapshot.state();
      BucketState left = PlanEffect.apply(from, write.plan());
      after.set(
          write.part(),
          new Seen(
              left == null
                  ? snapshot
                  : BucketSnapshot.wrote(write.plan(), snapshot, left, nowMs, settings),
              before.sure(),
              before.trace().with(write.plan(), from, write.plannedAtMs(), settings)));
    }
    return new TransactionState(parts, settings, after);
  }

  /** After a transaction that was not made; the buckets whose condition did not hold are told. */
  TransactionState cancelled(StoreReply.Cancelled reply, List<Planned> planned, long nowMs) {
    List<Seen> after = new ArrayList<>(seen);
    for (int i = 0; i < planned.size(); i++) {
      StoreReply.Cancelled.Cause cause = reply.causes().get(i);
      if (cause.refused()) {
        int part = planned.get(i).part();
        Seen before = seen.get(part);
        BucketState state = cause.state();
        BucketSnapshot snapshot =
            state == null
                ? null
                : BucketSnapshot.refused(before.snapshot(), state, nowMs, settings);
        after.set(part, new Seen(snapshot, /* sure= */ true, before.trace().withLostLock()));
      }
    }
    return new TransactionState(parts, settings, after);
  }

  /** After a transaction whose answer was lost. */
  TransactionState lostAnswer(List<Planned> planned) {
    List<Seen> after = new ArrayList<>(seen);
    for (Planned write : planned) {
      Seen before = seen.get(write.part());
      Trace trace = before.trace().withUnknownOutcome();
      after.set(write.part(), new Seen(before.snapshot(), before.sure(), trace));
    }
    return new TransactionState(parts, settings, after);
  }

  /** What was seen may have been changed by us or not: it is better not relied on. */
  TransactionState forgotten() {
    UnaryOperator<Seen> forget = each -> new Seen(null, /* sure= */ false, each.trace());
    return new TransactionState(parts, settings, seen.stream().map(forget).toList());
  }

  TransactionProtocol.Result result(Outcome outcome) {
    List<@Nullable BucketSnapshot> snapshots = new ArrayList<>(seen.size());
    List<Trace> traces = new ArrayList<>(seen.size());
    for (Seen each : seen) {
      snapshots.add(each.snapshot());
      traces.add(each.trace());
    }
    return new TransactionProtocol.Result(outcome, snapshots, traces);
  }

  /** What follows after {@code attempts} refused transactions. */
  Decision decide(int attempts, long nowMs) {
    return new Decision(attempts, nowMs);
  }

  /** The conclusion from what is known of all buckets at one instant. */
  final class Decision {
    private final int attempts;
    private final long nowMs;
    private final List<BucketView> views;

    private Decision(int attempts, long nowMs) {
      this.attempts = attempts;
      this.nowMs = nowMs;
      this.views = new ArrayList<>(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        Part part = parts.get(i);
        BucketSnapshot snapshot = seen.get(i).snapshot();
        views.add(
            snapshot == null
                ? BucketView.of(
                    BucketState.full(part.key().withShard(0), part.terms(), nowMs),
                    part.terms(),
                    nowMs,
                    settings.maxSkewMs())
                : snapshot.view(part.terms(), attempts, settings, nowMs));
      }
    }

    /**
     * The parts to look at again because they say no and were not seen just now, and their like.
     */
    List<Integer> doubtful() {
      List<Integer> untrusted = new ArrayList<>(0);
      boolean doubt = false;
      for (int i = 0; i < parts.size(); i++) {
        if (!seen.get(i).isTrusted(nowMs)) {
          BucketView view = views.get(i);
          untrusted.add(i);
          doubt |=
              view.isOutdated()
                  || view.isSilent()
                  || view.isDisabled()
                  || !view.fits(parts.get(i).amounts());
        }
      }
      return doubt ? untrusted : List.of();
    }

    /** Why not, or null when every part can be taken. */
    @Nullable Outcome refusal() {
      List<Integer> gone = gone();
      if (!gone.isEmpty()) {
        return new Outcome.Gone(gone);
      }
      List<Integer> outdated = new ArrayList<>(0);
      int disabled = -1;
      boolean exceeded = false;
      for (int i = 0; i < parts.size(); i++) {
        BucketView view = views.get(i);
        boolean unknown = seen.get(i).snapshot() == null || view.isSilent();
        if (view.isDisabled()) {
          disabled = disabled < 0 ? i : disabled;
        } else if (view.isOutdated() || (!parts.get(i).mayCreate() && unknown)) {
          outdated.add(i);
        } else {
          exceeded |= !view.fits(parts.get(i).amounts());
        }
      }
      if (!outdated.isEmpty()) {
        return new Outcome.Outdated(outdated);
      }
      if (disabled >= 0) {
        return new Outcome.Disabled(disabled);
      }
      return exceeded ? new Outcome.Rejected(rejection()) : null;
    }

    /** The parts whose shard is not there: it is never made here, its share is another one's. */
    private List<Integer> gone() {
      List<Integer> gone = new ArrayList<>(0);
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i).key().shard() != 0 && seen.get(i).snapshot() == null) {
          gone.add(i);
        }
      }
      return gone;
    }

    private Rejection rejection() {
      List<LimitStatus> statuses = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        statuses.addAll(views.get(i).statuses(parts.get(i).amounts()));
      }
      return new Rejection(statuses);
    }

    /**
     * Plans the writes that take all parts; a part from which nothing is taken and that needs no
     * repair has none. Where somebody has surely written since, so that the lock would be lost, it
     * is {@code readFirst}.
     */
    List<Planned> plan(Supplier<String> ops, List<Integer> readFirst) {
      List<Planned> writes = new ArrayList<>(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        BucketView view = views.get(i);
        view.take(parts.get(i).amounts());
        if (view.isEmpty()) {
          continue;
        }
        BucketSnapshot snapshot = seen.get(i).snapshot();
        WritePlan plan =
            snapshot == null
                ? WritePlanner.create(view, ops.get())
                : snapshot.plan(view, settings, nowMs, ops.get());
        if (plan == null) {
          readFirst.add(i);
        } else {
          writes.add(new Planned(i, priced(plan, snapshot), nowMs));
        }
      }
      return writes;
    }

    /**
     * In a transaction a write costs twice as much, and those that were refused were billed too.
     */
    private WritePlan priced(WritePlan plan, @Nullable BucketSnapshot from) {
      int units = 2 * (1 + attempts) * (from == null ? 1 : from.writeUnits());
      return plan.priced(from == null ? null : from.state(), units, settings.writeUnits());
    }
  }
}
