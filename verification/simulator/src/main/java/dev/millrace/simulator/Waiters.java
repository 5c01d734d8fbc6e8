package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.simulator.oracle.ExactBucket;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait for tokens, and when each should have received them: at the latest when the
 * lowest balance that its process can have seen had grown to what it wants. One that waits by
 * itself, in fair weather, is served then. Of a divided bucket it is the lowest of each shard, as
 * long as none is split or merged, and as long as the process takes from as many as need be.
 */
final class Waiters {
  private static final long NANOS_PER_MS = 1_000_000;

  /** A balance that was there so long ago may still be believed. */
  private static final long RECENT_NANOS = 2_000 * NANOS_PER_MS;

  /** The same once more, and the pauses after tokens were taken by others. */
  private static final long GRACE_NANOS = 2_000 * NANOS_PER_MS;

  /** What is closer together has no order: a look-up may be in the way. */
  private static final long ORDER_NANOS = 500 * NANOS_PER_MS;

  /** Conversations that may be in the way. */
  private static final int CONVERSATIONS = 3;

  private record Seen(BucketState state, long untilNanos) {}

  private static final class Waiter {
    final CallerRequest call;
    final long askedNanos;
    final long askedMs;
    long dueNanos;
    long aloneNanos;

    /** What the shards had; null as long as no bucket is divided. */
    @Nullable Lows lows;

    /** When one that came after it was served first; at the end of time if none was. */
    long overtakenNanos = Long.MAX_VALUE;

    /** Whether a bucket was divided or merged, so that nobody can tell what was believed. */
    boolean confused;

    Waiter(CallerRequest call, long nowNanos) {
      this.call = call;
      this.askedNanos = nowNanos;
      this.askedMs = call.life().effectiveMs();
      this.dueNanos = nowNanos;
      this.aloneNanos = nowNanos;
    }

    BucketKey line() {
      return call.parts().get(0).key();
    }
  }

  private final Loop loop;
  private final Table table;

  /** By shard. */
  private final Map<BucketKey, ArrayDeque<Seen>> recent = new HashMap<>();

  private final Set<Waiter> waiting = new LinkedHashSet<>();

  /** Whether one process is all there is, so that it keeps the order of arrival. */
  private final boolean solo;

  Waiters(Loop loop, Table table, boolean solo) {
    this.loop = loop;
    this.table = table;
    this.solo = solo;
  }

  /** Somebody begins to wait. */
  void asked(CallerRequest call) {
    Waiter waiter = new Waiter(call, loop.nowNanos());
    for (SimulatedTree.Part part : call.parts()) {
      Long reshaped = table.reshapedNanos(part.key());
      waiter.confused |= reshaped != null && reshaped >= loop.nowNanos() - RECENT_NANOS;
      if (table.isDivided(part.key())) {
        waiter.lows = new Lows();
      }
    }
    for (SimulatedTree.Part part : call.parts()) {
      for (BucketState shard : table.shards(part.key())) {
        for (Seen seen : recent.getOrDefault(shard.key(), new ArrayDeque<>())) {
          if (seen.untilNanos >= loop.nowNanos() - RECENT_NANOS) {
            delay(waiter, seen.state);
          }
        }
        delay(waiter, shard);
      }
    }
    waiting.add(waiter);
  }

  /** A shard was made or changed; {@code fair} says whether nothing hinders anybody. */
  void wrote(@Nullable BucketState before, BucketState after, Fair fair) {
    if (before != null) {
      remember(before);
    }
    BucketKey bucket = after.key().withShard(0);
    for (Waiter waiter : waiting) {
      if (waiter.call.parts().stream().anyMatch(part -> part.key().equals(bucket))) {
        require(waiter, fair);
        waiter.confused |= reshapes(before, after);
        delay(waiter, after);
      }
    }
  }

  private static boolean reshapes(@Nullable BucketState before, BucketState after) {
    return before == null
        ? after.key().shard() != 0
        : before.division().level() != after.division().level();
  }

  private void remember(BucketState before) {
    ArrayDeque<Seen> seen = recent.computeIfAbsent(before.key(), absent -> new ArrayDeque<>());
    seen.add(new Seen(before, loop.nowNanos()));
    while (seen.getFirst().untilNanos < loop.nowNanos() - RECENT_NANOS) { // ends: one is of now
      seen.removeFirst();
    }
  }

  /** A caller gets what it waits for: those that came before it must not wait much longer. */
  void granted(CallerRequest call, Fair fair) {
    long nowNanos = loop.nowNanos();
    for (Waiter waiter : waiting) {
      if (waiter.call == call) {
        requireInOrder(waiter, fair);
      } else if (isBefore(waiter, call)) {
        waiter.overtakenNanos = Math.min(waiter.overtakenNanos, nowNanos);
      }
    }
  }

  private void requireInOrder(Waiter waiter, Fair fair) {
    long lateNanos = loop.nowNanos() - waiter.overtakenNanos;
    if (solo
        && lateNanos > ORDER_NANOS
        && !waiter.confused
        && fair.isFair(waiter.call)
        // A look-up that was sent into a partition is answered at the end of its time limit.
        && !table.wasCutOffSince(waiter.call.life().name(), waiter.askedNanos)) {
      throw new Violation(
          Promise.NOBODY_WAITS_FOR_EVER,
          waiter.call.life().name()
              + " served one that came later "
              + lateNanos / NANOS_PER_MS
              + " ms before: "
              + waiter.call.ask());
    }
  }

  /** Whether a caller came clearly before another one that wants the same, and has time left. */
  private boolean isBefore(Waiter waiter, CallerRequest later) {
    long endsNanos = later.askedNanos() + (later.ask().maxWaitMs() - 1) * NANOS_PER_MS;
    return waiter.call.life() == later.life()
        && waiter.call.ask().entity().equals(later.ask().entity())
        && waiter.line().equals(later.parts().get(0).key()) // each first bucket has its own line
        && waiter.call.ask().tokens().equals(later.ask().tokens())
        && waiter.askedNanos + ORDER_NANOS < later.askedNanos()
        && loop.nowNanos() < endsNanos;
  }

  /** Somebody was answered, or will never be. */
  void answered(CallerRequest call, Fair fair) {
    for (Waiter waiter : List.copyOf(waiting)) {
      if (waiter.call == call) {
        waiting.remove(waiter);
        delayByLows(waiter);
        require(waiter, fair);
        next(waiter);
      }
    }
  }

  /** Who is left alone in the line may go ahead from now on. */
  private void next(Waiter gone) {
    List<Waiter> others = line(gone);
    if (others.size() == 1) {
      others.get(0).aloneNanos = loop.nowNanos();
    }
  }

  /** All others who wait in the same line of the same process. */
  private List<Waiter> line(Waiter of) {
    List<Waiter> line = new ArrayList<>();
    for (Waiter waiter : waiting) {
      if (waiter != of && waiter.call.life() == of.call.life() && waiter.line().equals(of.line())) {
        line.add(waiter);
      }
    }
    return line;
  }

  private void delay(Waiter waiter, BucketState state) {
    if (waiter.lows != null) {
      waiter.lows.saw(state);
      return;
    }
    long nowMs = waiter.call.life().effectiveMs();
    for (SimulatedTree.Part part : waiter.call.parts()) {
      if (part.key().equals(state.key())) {
        part.milli()
            .forEach(
                (limit, milli) -> {
                  long waitMs =
                      state.find(limit) == null
                          ? 0
                          : ExactBucket.waitMs(state, limit, milli, nowMs);
                  delay(waiter, loop.nowNanos(), waitMs);
                });
      }
    }
  }

  private static void delay(Waiter waiter, long fromNanos, long waitMs) {
    waiter.dueNanos =
        waitMs == ExactBucket.NEVER || waitMs > Long.MAX_VALUE / (2 * NANOS_PER_MS)
            ? Long.MAX_VALUE
            : Math.max(waiter.dueNanos, fromNanos + waitMs * NANOS_PER_MS);
  }

  private static void delayByLows(Waiter waiter) {
    Lows lows = waiter.lows;
    if (lows == null) {
      return;
    }
    for (SimulatedTree.Part part : waiter.call.parts()) {
      part.milli()
          .forEach(
              (limit, milli) ->
                  delay(
                      waiter,
                      waiter.askedNanos,
                      lows.waitMs(part.key(), limit, milli, waiter.askedMs)));
    }
  }

  /** Tells whether nothing hinders a process. */
  interface Fair {
    boolean isFair(CallerRequest call);
  }

  private void require(Waiter waiter, Fair fair) {
    long graceNanos =
        GRACE_NANOS + CONVERSATIONS * waiter.call.life().spec().timeoutMs() * NANOS_PER_MS;
    long sinceNanos = Math.max(waiter.dueNanos, waiter.aloneNanos);
    boolean answered = !waiting.contains(waiter);
    if (waiter.dueNanos == Long.MAX_VALUE
        || waiter.confused
        || (waiter.lows != null && (!answered || !waiter.call.life().spec().isWideFree()))
        || !line(waiter).isEmpty()) {
      return;
    }
    long lateNanos = loop.nowNanos() - sinceNanos;
    if (lateNanos > graceNanos && fair.isFair(waiter.call)) {
      throw new Violation(
          Promise.NOBODY_WAITS_FOR_EVER,
          waiter.call.life().name()
              + " still waits "
              + lateNanos / NANOS_PER_MS
              + " ms after the tokens were there: "
              + waiter.call.ask());
    }
  }
}
