package dev.millrace.simulator;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
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
 * Those who wait for tokens, and when each should have got them: at the latest when the lowest
 * balance that its process can have seen had grown to what it wants. One that waits by itself, in
 * fair weather, is served then.
 */
final class Waiters {
  private static final long NANOS_PER_MS = 1_000_000;

  /** A balance that was there so long ago may still be believed. */
  private static final long RECENT_NANOS = 2_000 * NANOS_PER_MS;

  /** The same once more, and the pauses after tokens were taken by others. */
  private static final long GRACE_NANOS = 2_000 * NANOS_PER_MS;

  /** Conversations that may be in the way. */
  private static final int CONVERSATIONS = 3;

  private record Seen(BucketState state, long untilNanos) {}

  private static final class Waiter {
    final Call call;
    long dueNanos;
    long aloneNanos;

    Waiter(Call call, long nowNanos) {
      this.call = call;
      this.dueNanos = nowNanos;
      this.aloneNanos = nowNanos;
    }

    BucketKey line() {
      return call.parts().get(0).key();
    }
  }

  private final Loop loop;
  private final Map<BucketKey, ArrayDeque<Seen>> recent = new HashMap<>();
  private final Set<Waiter> waiting = new LinkedHashSet<>();

  Waiters(Loop loop) {
    this.loop = loop;
  }

  /** Somebody begins to wait. */
  void asked(Call call, Map<BucketKey, BucketState> states) {
    Waiter waiter = new Waiter(call, loop.nowNanos());
    for (Tree.Part part : call.parts()) {
      for (Seen seen : recent.getOrDefault(part.key(), new ArrayDeque<>())) {
        if (seen.untilNanos >= loop.nowNanos() - RECENT_NANOS) {
          delay(waiter, seen.state);
        }
      }
      BucketState state = states.get(part.key());
      if (state != null) {
        delay(waiter, state);
      }
    }
    waiting.add(waiter);
  }

  /** A bucket was made or changed; {@code fair} says whether nothing hinders anybody. */
  void wrote(BucketKey key, @Nullable BucketState before, BucketState after, Fair fair) {
    if (before != null) {
      remember(key, before);
    }
    for (Waiter waiter : waiting) {
      if (waiter.call.parts().stream().anyMatch(part -> part.key().equals(key))) {
        require(waiter, fair);
        delay(waiter, after);
      }
    }
  }

  private void remember(BucketKey key, BucketState before) {
    ArrayDeque<Seen> seen = recent.computeIfAbsent(key, absent -> new ArrayDeque<>());
    seen.add(new Seen(before, loop.nowNanos()));
    while (seen.getFirst().untilNanos < loop.nowNanos() - RECENT_NANOS) { // ends: one is of now
      seen.removeFirst();
    }
  }

  /** Somebody was answered, or will never be. */
  void answered(Call call, Fair fair) {
    for (Waiter waiter : List.copyOf(waiting)) {
      if (waiter.call == call) {
        waiting.remove(waiter);
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
    long nowMs = waiter.call.life().effectiveMs();
    if (state.division().level() > 1) {
      waiter.dueNanos = Long.MAX_VALUE; // what one shard has tells nothing
      return;
    }
    for (Tree.Part part : waiter.call.parts()) {
      if (part.key().equals(state.key())) {
        part.milli()
            .forEach(
                (limit, milli) -> {
                  long waitMs =
                      state.find(limit) == null
                          ? 0
                          : ExactBucket.waitMs(state, limit, milli, nowMs);
                  waiter.dueNanos =
                      waitMs == ExactBucket.NEVER || waitMs > Long.MAX_VALUE / (2 * NANOS_PER_MS)
                          ? Long.MAX_VALUE
                          : Math.max(waiter.dueNanos, loop.nowNanos() + waitMs * NANOS_PER_MS);
                });
      }
    }
  }

  /** Whether nothing hinders a process. */
  interface Fair {
    boolean isFair(Call call);
  }

  private void require(Waiter waiter, Fair fair) {
    long graceNanos =
        GRACE_NANOS + CONVERSATIONS * waiter.call.life().spec().timeoutMs() * NANOS_PER_MS;
    long sinceNanos = Math.max(waiter.dueNanos, waiter.aloneNanos);
    if (waiter.dueNanos == Long.MAX_VALUE || !line(waiter).isEmpty()) {
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
