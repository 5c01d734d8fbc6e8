package dev.millrace.core.internal.protocol;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Rejection;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.internal.protocol.TransactionState.Planned;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that takes from several buckets in one transaction: from all of them, or from none.
 *
 * <ol>
 *   <li>Buckets never seen are read, all in one call; those that do not exist are created.
 *   <li>All are projected to now. When one says no, the answer is no, at no cost if what it rests
 *       on was seen just now; else one call reads those that were not. A repair that a refused
 *       request would have made is left to others.
 *   <li>A transaction that was made does not tell what it left behind, so that is worked out, and
 *       the next one needs no read. One that was not made brings the states that refused it, and
 *       the decision is made again from those.
 *   <li>When the answer is lost, the very same transaction is sent again: it is made once. When no
 *       answer comes at all, nobody can say, and the charge, if there is one, stays.
 * </ol>
 */
public final class TransactionProtocol {
  /** Most transactions of one commit that were refused because somebody else was faster. */
  public static final int MAX_ATTEMPTS = 24;

  /** Most times that a transaction is sent again because its answer was lost. */
  public static final int MAX_RESENDS = 3;

  private static final StoreFailure CONTENDED = new StoreFailure(StoreFailure.Kind.CONTENDED, null);

  private final List<Part> parts;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /**
   * A commit that has not begun.
   *
   * @param parts at least one, each of another bucket
   * @param ops gives every write and every transaction an id of its own
   */
  public TransactionProtocol(List<Part> parts, PlanSettings settings, Supplier<String> ops) {
    this.parts = List.copyOf(parts);
    this.settings = settings;
    this.ops = ops;
    int max = StoreCall.Transaction.MAX_ACTIONS;
    if (parts.isEmpty() || parts.size() > max) {
      throw new IllegalArgumentException(
          "parts: " + parts.size() + " given, must be from 1 to " + max);
    }
    Set<BucketKey> keys = new HashSet<>();
    for (Part part : parts) {
      if (!keys.add(part.key())) {
        throw new IllegalArgumentException("parts: " + part.key() + " is given twice");
      }
    }
  }

  /**
   * What is taken from one bucket.
   *
   * @param amounts matched to the limits of {@code terms}, none negative; may be empty, then the
   *     bucket only has a say in whether it is switched on
   * @param mayCreate whether a bucket that does not exist may be made with these terms; see {@link
   *     CommitProtocol}
   */
  public record Part(BucketKey key, EffectiveLimits terms, Amounts amounts, boolean mayCreate) {
    /** A part whose terms are known to be up to date. */
    public Part(BucketKey key, EffectiveLimits terms, Amounts amounts) {
      this(key, terms, amounts, /* mayCreate= */ true);
    }

    /** To take less than nothing would make tokens. */
    public Part {
      if (amounts.givesBack()) {
        throw new IllegalArgumentException("an acquire cannot give back: " + amounts);
      }
    }
  }

  /** How it ended. */
  public sealed interface Outcome {
    /** All parts were charged. */
    record Admitted() implements Outcome {}

    /**
     * Refused by a limit; nothing was charged.
     *
     * @param rejection the status of every limit of every part, in their order
     */
    record Rejected(Rejection rejection) implements Outcome {}

    /**
     * Refused because a bucket is switched off; nothing was charged.
     *
     * @param part the index of the first such part
     */
    record Disabled(int part) implements Outcome {}

    /**
     * Not decided, because buckets follow a later configuration than the caller knows; nothing was
     * charged.
     *
     * @param parts the indexes of those buckets
     */
    record Outdated(List<Integer> parts) implements Outcome {
      /** Keeps the indexes as they are now. */
      public Outdated {
        parts = List.copyOf(parts);
      }
    }

    /**
     * Not decided, because there are no such shards: see {@link CommitResult.Outcome.Gone}; nothing
     * was charged.
     *
     * @param parts the indexes of those shards
     */
    record Gone(List<Integer> parts) implements Outcome {
      /** Keeps the indexes as they are now. */
      public Gone {
        parts = List.copyOf(parts);
      }
    }

    /**
     * Not decided.
     *
     * @param mayBeCharged whether the charge may be there all the same
     */
    record Unavailable(StoreFailure failure, boolean mayBeCharged) implements Outcome {}
  }

  /**
   * How it ended, and what was seen.
   *
   * @param snapshots each part's bucket as it was last seen, null when it does not exist or was not
   *     seen
   * @param traces what happened on the way, for each part
   */
  public record Result(
      Outcome outcome, List<@Nullable BucketSnapshot> snapshots, List<Trace> traces) {
    /** Keeps the lists as they are now. */
    public Result {
      snapshots = Collections.unmodifiableList(new ArrayList<>(snapshots));
      traces = List.copyOf(traces);
    }
  }

  /**
   * Begins.
   *
   * @param known what the process has seen of each part's bucket, null for nothing
   */
  public Step<Result> start(List<@Nullable BucketSnapshot> known, long nowMs) {
    return start(known, Set.of(), nowMs);
  }

  /**
   * Begins.
   *
   * @param known what the process has seen of each part's bucket, null for nothing
   * @param absent the indexes of parts whose buckets did not exist a moment ago
   */
  public Step<Result> start(List<@Nullable BucketSnapshot> known, Set<Integer> absent, long nowMs) {
    if (known.size() != parts.size()) {
      throw new IllegalArgumentException(
          "known: " + known.size() + " snapshots given for " + parts.size() + " parts");
    }
    TransactionState state = TransactionState.of(parts, settings, known, absent);
    List<Integer> cold = state.cold();
    return cold.isEmpty() ? decide(state, Course.BEGIN, nowMs) : read(cold, state, Course.BEGIN);
  }

  /**
   * How far it has come.
   *
   * @param attempts how many transactions were refused
   * @param conflicts how many met a transaction of somebody else
   * @param lost whether the answer of one was lost that may have been made
   */
  private record Course(int attempts, int conflicts, boolean lost) {
    static final Course BEGIN = new Course(0, 0, false);

    Course refused() {
      return new Course(attempts + 1, conflicts, lost);
    }

    Course conflicted() {
      return new Course(attempts, conflicts + 1, lost);
    }

    Course lostAnswer() {
      return new Course(attempts, conflicts, true);
    }
  }

  private Step<Result> read(List<Integer> which, TransactionState state, Course course) {
    List<BucketKey> keys = which.stream().map(i -> parts.get(i).key()).toList();
    return Step.Ask.one(
        new StoreCall.ReadAll(keys),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.FoundAll found)) {
            return unavailable(CommitProtocol.failureOf(reply), state, course);
          }
          return decide(state.read(which, found.states(), nowMs), course, nowMs);
        });
  }

  private Step<Result> decide(TransactionState state, Course course, long nowMs) {
    TransactionState.Decision decision = state.decide(course.attempts(), nowMs);
    List<Integer> doubtful = decision.doubtful();
    if (!doubtful.isEmpty()) {
      return read(doubtful, state, course);
    }
    Outcome refusal = decision.refusal();
    if (refusal != null) {
      return done(refusal, state);
    }
    if (course.attempts() == MAX_ATTEMPTS) {
      return unavailable(CONTENDED, state, course);
    }
    List<Integer> readFirst = new ArrayList<>(0);
    List<Planned> planned = decision.plan(ops, readFirst);
    if (!readFirst.isEmpty()) {
      return read(readFirst, state, course);
    }
    if (planned.isEmpty()) {
      return done(new Outcome.Admitted(), state);
    }
    List<WritePlan> writes = planned.stream().map(Planned::plan).toList();
    return send(
        new StoreCall.Transaction(writes, List.of(), ops.get()),
        planned,
        state,
        course,
        /* resends= */ 0);
  }

  private Step<Result> send(
      StoreCall.Transaction transaction,
      List<Planned> planned,
      TransactionState state,
      Course course,
      int resends) {
    return Step.Ask.one(
        transaction,
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Committed || isOurs(reply, planned)) {
            return done(new Outcome.Admitted(), state.committed(planned, nowMs));
          }
          if (reply instanceof StoreReply.Cancelled cancelled) {
            TransactionState told = state.cancelled(cancelled, planned, nowMs);
            return decide(told, course.refused(), nowMs);
          }
          if (reply instanceof StoreReply.Unknown) {
            TransactionState unsure = state.lostAnswer(planned);
            return resends < MAX_RESENDS
                ? send(transaction, planned, unsure, course.lostAnswer(), resends + 1)
                : unavailable(CommitProtocol.failureOf(reply), unsure, course.lostAnswer());
          }
          if (CommitProtocol.isConflict(reply)
              && course.conflicts() < CommitProtocol.MAX_CONFLICTS) {
            // What is in the way may be our own, whose answer was lost: then it must stay the same.
            return resends == 0
                ? decide(state, course.conflicted(), nowMs)
                : send(transaction, planned, state, course.conflicted(), resends);
          }
          return unavailable(CommitProtocol.failureOf(reply), state, course);
        });
  }

  /** Whether a bucket that refuses shows that it was us: the transaction had been made before. */
  private static boolean isOurs(StoreReply reply, List<Planned> planned) {
    if (!(reply instanceof StoreReply.Cancelled cancelled)) {
      return false;
    }
    for (int i = 0; i < planned.size(); i++) {
      BucketState state = cancelled.causes().get(i).state();
      if (state != null && state.op().equals(planned.get(i).plan().op())) {
        return true;
      }
    }
    return false;
  }

  private static Step<Result> unavailable(
      StoreFailure failure, TransactionState state, Course course) {
    return done(
        new Outcome.Unavailable(failure, course.lost()), course.lost() ? state.forgotten() : state);
  }

  private static Step<Result> done(Outcome outcome, TransactionState state) {
    return new Step.Done<>(state.result(outcome));
  }
}
