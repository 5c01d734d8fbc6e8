package dev.millrace.proving.soak.worker;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.proving.soak.World;
import dev.millrace.proving.soak.journal.JournalLine;
import dev.millrace.proving.soak.journal.JournalWriter;
import dev.millrace.proving.soak.journal.OperationOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One caller: acquires, uses, settles or gives back, and writes down each step before and after.
 */
final class SoakCaller implements Runnable {
  private static final int WAITING_PERCENT = 20;
  private static final long MOST_WAIT_MS = 400;
  private static final long MOST_USE_MS = 20;

  /** How often the end of a lease is tried that surely wrote nothing. */
  private static final int MOST_ENDINGS = 3;

  private static final long BETWEEN_ENDINGS_MS = 200;

  private final Door door;
  private final TrafficMix mix;
  private final JournalWriter journal;
  private final WorkerTally tally;
  private final RandomGenerator random;
  private final BooleanSupplier stopped;

  SoakCaller(
      Door door,
      TrafficMix mix,
      JournalWriter journal,
      WorkerTally tally,
      RandomGenerator random,
      BooleanSupplier stopped) {
    this.door = door;
    this.mix = mix;
    this.journal = journal;
    this.tally = tally;
    this.random = random;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    while (!stopped.getAsBoolean()) { // ends: when the worker is stopped
      try {
        once();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        journal.oddity(e); // whatever it is, the books must hold, and people must hear of it
      }
      pause(mix.pauseMs(random));
    }
  }

  private static void pause(long ms) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private void once() throws InterruptedException {
    String entity = mix.entity(random);
    Map<String, Long> tokens = mix.tokens(random);
    AcquireRequest request = AcquireRequest.of(entity, World.RESOURCE);
    for (Map.Entry<String, Long> wanted : tokens.entrySet()) {
      request = request.consume(wanted.getKey(), wanted.getValue());
    }
    boolean waits = random.nextInt(100) < WAITING_PERCENT;
    Duration maxWait = Duration.ofMillis(waits ? 1 + random.nextLong(MOST_WAIT_MS) : 0);
    long lease = journal.beginLease(World.postings(entity, tokens));
    Lease held = null;
    OperationOutcome verdict;
    try {
      held = door.ask(request, maxWait);
      verdict = held == null ? OperationOutcome.REFUSED : granted(held);
    } catch (LimiterUnavailableException e) {
      verdict = unavailable(e);
    }
    journal.end(lease, verdict);
    tally.acquired(verdict);
    if (held != null) {
      new Use(held, lease, entity, tokens).run();
    }
  }

  private static OperationOutcome granted(Lease held) {
    return held.isDegraded() ? OperationOutcome.DEGRADED : OperationOutcome.GRANTED;
  }

  private static OperationOutcome unavailable(LimiterUnavailableException e) {
    return Boolean.TRUE.equals(e.attributes().get("mayBeCharged"))
        ? OperationOutcome.UNSURE
        : OperationOutcome.UNCHARGED;
  }

  /** The further use of one lease. */
  private final class Use {
    private final Lease held;
    private final long lease;
    private final String entity;
    private final Map<String, Long> consumed;

    Use(Lease held, long lease, String entity, Map<String, Long> tokens) {
      this.held = held;
      this.lease = lease;
      this.entity = entity;
      this.consumed = new HashMap<>(tokens);
    }

    void run() throws InterruptedException {
      pause(random.nextLong(MOST_USE_MS));
      int chance = random.nextInt(100);
      if (chance < 8) {
        consume(Map.of(World.SLOW, 1 + random.nextLong(2)));
      }
      chance = random.nextInt(100);
      if (chance < 45) {
        door.close(held); // nothing was adjusted, so nothing is written
      } else if (chance < 65) {
        settle(1 + random.nextLong(6));
      } else if (chance < 82) {
        settle(-1 - random.nextLong(consumed.getOrDefault(World.SLOW, 1L)));
      } else {
        cancel();
      }
    }

    private void consume(Map<String, Long> tokens) throws InterruptedException {
      long op = journal.begin(JournalLine.Kind.ACQUIRE, lease, World.postings(entity, tokens));
      OperationOutcome verdict;
      try {
        door.consume(held, tokens);
        verdict = granted(held);
        tokens.forEach((limit, amount) -> consumed.merge(limit, amount, Long::sum));
      } catch (RateLimitExceededException e) {
        verdict = OperationOutcome.REFUSED;
      } catch (LimiterUnavailableException e) {
        verdict = unavailable(e);
      }
      journal.end(op, verdict);
    }

    private void settle(long deltaTokens) throws InterruptedException {
      Map<String, Long> delta = Map.of(World.SLOW, deltaTokens);
      long op = journal.begin(JournalLine.Kind.SETTLE, lease, World.postings(entity, delta));
      held.adjust(World.SLOW, deltaTokens);
      journal.end(op, ended(() -> door.close(held)));
    }

    private void cancel() throws InterruptedException {
      Map<String, Long> back = new HashMap<>();
      consumed.forEach((limit, amount) -> back.put(limit, -amount));
      long op = journal.begin(JournalLine.Kind.CANCEL, lease, World.postings(entity, back));
      journal.end(op, ended(() -> door.cancel(held)));
    }

    /** A lease that surely could not be ended is open again: ending it again tries again. */
    private OperationOutcome ended(LeaseEnd ending) throws InterruptedException {
      for (int i = 1; i <= MOST_ENDINGS; i++) {
        LimiterUnavailableException failure = end(ending);
        if (held.state() != LeaseState.OPEN) {
          return failure == null ? OperationOutcome.SETTLED : OperationOutcome.UNSETTLED;
        }
        pause(BETWEEN_ENDINGS_MS);
      }
      return OperationOutcome.UNSETTLED;
    }

    private @Nullable LimiterUnavailableException end(LeaseEnd ending) throws InterruptedException {
      try {
        ending.run();
        return null;
      } catch (LimiterUnavailableException e) {
        return e;
      }
    }
  }

  /** Ends a lease. */
  private interface LeaseEnd {
    void run() throws InterruptedException;
  }
}
