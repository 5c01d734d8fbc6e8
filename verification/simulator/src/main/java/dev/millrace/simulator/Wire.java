package dev.millrace.simulator;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The way of one process to the table and back, with everything that can happen on it. */
final class Wire implements BlockingStore, AsyncStore {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;

  /** The least time on the way, however fast the network is. */
  private static final long LEAST_NANOS = 50_000;

  /** How much longer a slow call takes. */
  private static final long SLOW_FACTOR = 100;

  /** How late a call can arrive that its caller has given up. */
  private static final long MAX_LATE_MS = 2_000;

  private final Loop loop;
  private final Endpoint end;
  private final Table table;
  private final Network network;
  private final Map<String, Long> firstSentMs = new HashMap<>();
  private long calls;

  Wire(Loop loop, Endpoint end, Table table, Network network) {
    this.loop = loop;
    this.end = end;
    this.table = table;
    this.network = network;
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    end.requireAlive();
    CompletableFuture<StoreReply> answer = executeAsync(call, timeoutMs).toCompletableFuture();
    boolean interrupted = false;
    while (!answer.isDone()) { // ends: every call is answered when its time is over
      try {
        boolean unused = loop.await(answer, Long.MAX_VALUE);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return answer.join();
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    CompletableFuture<StoreReply> answer = new CompletableFuture<>();
    if (!end.isAlive()) {
      return answer; // nobody is there to hear it
    }
    Chance chance = end.chance().split(calls++);
    Sent sent = new Sent(end, call, network.nextNumber(), plannedMs(call), loop.nowNanos());
    end.sent(call);
    loop.after(timeoutMs * NANOS_PER_MS, () -> answer(sent, answer, unknown(true)));
    Weather weather = network.weather();
    if (network.isPartitioned(end.name())) {
      end.saw(Event.PARTITIONED);
      if (chance.perMille(500)) {
        loop.after(
            trip(chance, weather),
            () -> answer(sent, answer, notApplied(StoreFailure.Kind.UNREACHABLE)));
      }
      return answer;
    }
    travel(sent, answer, chance, weather, timeoutMs);
    return answer;
  }

  /**
   * What the sender took for the time when it planned the call: a transaction that is sent again,
   * be it under another token, was planned when its writes were first sent, and the clock may have
   * been set back since.
   */
  private long plannedMs(StoreCall call) {
    long nowMs = end.effectiveMs();
    return call instanceof StoreCall.Transaction transaction && !transaction.plans().isEmpty()
        ? firstSentMs.computeIfAbsent(transaction.plans().get(0).op(), op -> nowMs)
        : nowMs;
  }

  private void travel(
      Sent sent,
      CompletableFuture<StoreReply> answer,
      Chance chance,
      Weather weather,
      long timeoutMs) {
    long tripNanos = trip(chance, weather);
    boolean writes = sent.call().writes();
    if (chance.perMille(weather.lostRequests())) {
      end.saw(Event.REQUEST_LOST);
    } else if (chance.perMille(weather.unreachable())) {
      end.saw(Event.UNREACHABLE);
      loop.after(tripNanos, () -> answer(sent, answer, notApplied(StoreFailure.Kind.UNREACHABLE)));
    } else if (chance.perMille(weather.throttled())) {
      end.saw(Event.THROTTLED);
      loop.after(
          2 * tripNanos, () -> answer(sent, answer, notApplied(StoreFailure.Kind.THROTTLED)));
    } else if (writes && chance.perMille(weather.conflicts())) {
      end.saw(Event.CONFLICT);
      loop.after(2 * tripNanos, () -> answer(sent, answer, notApplied(StoreFailure.Kind.CONFLICT)));
    } else if (chance.perMille(weather.late())) {
      end.saw(Event.ARRIVED_LATE);
      long lateMs = timeoutMs + chance.between(1, MAX_LATE_MS);
      loop.after(lateMs * NANOS_PER_MS, () -> arrive(sent));
    } else {
      boolean lost = chance.perMille(weather.lostReplies());
      boolean reset = !lost && chance.perMille(weather.resets());
      long backNanos = trip(chance, weather);
      loop.after(tripNanos, () -> arrived(sent, answer, lost, reset, backNanos));
    }
  }

  private void arrived(
      Sent sent,
      CompletableFuture<StoreReply> answer,
      boolean lost,
      boolean reset,
      long backNanos) {
    StoreReply reply = arrive(sent);
    if (lost || network.isPartitioned(end.name())) {
      end.saw(Event.REPLY_LOST);
      return;
    }
    if (reset) {
      end.saw(Event.CONNECTION_RESET);
    }
    loop.after(backNanos, () -> answer(sent, answer, reset ? unknown(false) : reply));
  }

  private StoreReply arrive(Sent sent) {
    return table.execute(sent);
  }

  private void answer(Sent sent, CompletableFuture<StoreReply> answer, StoreReply reply) {
    if (!answer.isDone() && end.isAlive()) {
      end.heard(sent, reply);
      answer.complete(reply);
    }
  }

  private long trip(Chance chance, Weather weather) {
    long nanos = LEAST_NANOS + chance.exponential(weather.halfTripMicros() * NANOS_PER_MICRO);
    if (chance.perMille(weather.slow())) {
      end.saw(Event.DELAYED);
      return nanos * SLOW_FACTOR;
    }
    return nanos;
  }

  private static StoreReply notApplied(StoreFailure.Kind kind) {
    return new StoreReply.NotApplied(new StoreFailure(kind, null), Receipt.NONE);
  }

  private static StoreReply unknown(boolean timedOut) {
    return new StoreReply.Unknown(
        new StoreFailure(timedOut ? StoreFailure.Kind.TIMED_OUT : StoreFailure.Kind.BROKEN, null),
        Receipt.NONE);
  }
}
