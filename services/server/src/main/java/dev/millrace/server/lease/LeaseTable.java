package dev.millrace.server.lease;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this server granted: those that are open, as many as there is room for, and for a
 * while those that have ended. Each open one has a timer.
 */
final class LeaseTable implements AutoCloseable {
  /** How often the end of an expired lease is tried before its adjustments are given up. */
  private static final int MAX_EXPIRY_ATTEMPTS = 5;

  private static final long RETRY_MS = 1_000;
  private static final Duration MOST_DRAIN = Duration.ofSeconds(10);
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  private final LeaseSettings settings;
  private final LeaseIds ids;
  private final InstantSource clock;
  private final Map<String, HeldLease> open = new ConcurrentHashMap<>();
  private final Cache<String, HeldLease> ended;
  private final AtomicInteger places = new AtomicInteger();
  private final ScheduledThreadPoolExecutor timers;
  private final Counter full;
  private final Counter expired;
  private final Counter lost;

  LeaseTable(LeaseSettings settings, LeaseIds ids, InstantSource clock, MeterRegistry meters) {
    this.settings = settings;
    this.ids = ids;
    this.clock = clock;
    this.ended =
        Caffeine.newBuilder()
            .maximumSize(settings.maxEnded())
            .expireAfterWrite(settings.remembered())
            .build();
    this.timers = new ScheduledThreadPoolExecutor(1, LeaseTable::daemon);
    timers.setRemoveOnCancelPolicy(true);
    this.full = meters.counter("millrace.server.leases.full");
    this.expired = meters.counter("millrace.server.leases.expired");
    this.lost = meters.counter("millrace.server.leases.lost");
    meters.gauge("millrace.server.leases.open", places);
    meters.gauge("millrace.server.leases.timers", timers.getQueue(), Collection::size);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "millrace-leases");
    thread.setDaemon(true);
    return thread;
  }

  /** Takes a place for a lease that is about to be granted, or answers 503. */
  void reserve() {
    if (places.incrementAndGet() > settings.maxOpen()) {
      places.decrementAndGet();
      full.increment();
      throw new ProblemException(
          HttpProblem.of(503, "too-many-leases", "This server holds too many open leases")
              .with("most", settings.maxOpen())
              .with("retryAfterSeconds", 1));
    }
  }

  /** Gives the place back: nothing was granted. */
  void unreserve() {
    places.decrementAndGet();
  }

  /** Holds a lease, in a place that was reserved. */
  HeldLease hold(
      String namespace, AcquireRequest request, Lease lease, Duration ttl, OnExpiry end) {
    HeldLease held =
        new HeldLease(ids.next(namespace), namespace, request, lease, clock.instant(), ttl, end);
    open.put(held.id(), held);
    watch(held, 1);
    return held;
  }

  /** The lease of this id, open or ended, null when there is none. */
  @Nullable HeldLease find(String id, String namespace) {
    HeldLease held = open.get(id);
    HeldLease known = held == null ? ended.getIfPresent(id) : held;
    return known != null && known.namespace().equals(namespace) ? known : null;
  }

  /** Ends a lease; what it came to. */
  CompletableFuture<Map<String, Object>> end(HeldLease held, Ending ending) {
    return held.end(ending)
        .whenComplete(
            (result, failure) -> {
              if (failure == null || held.isOver()) {
                forget(held);
              }
            });
  }

  private void forget(HeldLease held) {
    if (open.remove(held.id(), held)) {
      held.cancelTimer();
      ended.put(held.id(), held);
      places.decrementAndGet();
    }
  }

  private void watch(HeldLease held, int attempt) {
    long delayMs = Duration.between(clock.instant(), held.expiresAt()).toMillis();
    if (!timers.isShutdown()) {
      held.timer(
          timers.schedule(
              () -> look(held, attempt),
              Math.max(attempt == 1 ? 0 : RETRY_MS, delayMs),
              TimeUnit.MILLISECONDS));
    }
  }

  private void look(HeldLease held, int attempt) {
    if (!open.containsKey(held.id())) {
      return;
    }
    Instant now = clock.instant();
    if (now.isBefore(held.expiresAt())) { // it was extended, or the clock was set back
      watch(held, attempt);
      return;
    }
    try {
      var unused =
          end(held, held.endingOr(Ending.expired(held.onExpiry())))
              .whenComplete((result, failure) -> expired(held, attempt, failure));
    } catch (ProblemException e) {
      watch(held, attempt + 1); // somebody ends it at this moment
    }
  }

  private void expired(HeldLease held, int attempt, @Nullable Throwable failure) {
    if (failure == null) {
      expired.increment();
    } else if (attempt < MAX_EXPIRY_ATTEMPTS && !held.isOver()) {
      watch(held, attempt + 1);
    } else {
      abandon(held);
    }
  }

  /** What it was charged stands; what was recorded since cannot be written. */
  private void abandon(HeldLease held) {
    if (open.containsKey(held.id())) {
      lost.increment();
      LOG.log(
          System.Logger.Level.WARNING,
          "a lease in {0} expired and could not be settled: its charge stands",
          held.namespace());
      forget(held);
    }
  }

  /** Ends all that are open as the settings say, within bounds. */
  @Override
  public void close() {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (HeldLease held : open.values()) {
      try {
        ends.add(end(held, held.endingOr(Ending.drained(settings.onDrain()))));
      } catch (ProblemException e) {
        // It ends by itself at this moment.
      }
    }
    try {
      CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
          .get(MOST_DRAIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} leases could not be settled before the stop: their charges stand",
          open.size());
    }
    timers.shutdownNow();
  }
}
