package dev.millrace.server.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.linecorp.armeria.common.util.ThreadFactories;
import dev.millrace.Lease;
import dev.millrace.server.json.ProblemException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this server granted: the open ones, each with a timer, as many as there is room
 * for, and for a while those that have ended.
 */
final class LeaseTable implements AutoCloseable {
  /** Most attempts to end an expired lease; then its adjustments are lost. */
  private static final int MAX_EXPIRY_ATTEMPTS = 5;

  private static final long RETRY_MS = 1_000;
  private static final Duration MAX_DRAIN = Duration.ofSeconds(10);

  /** Most ended leases that are kept. */
  private static final int MAX_ENDED = 100_000;

  private static final Duration ENDED_KEPT_FOR = Duration.ofMinutes(10);
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  private final LeaseSettings settings;
  private final LeaseIds ids;
  private final InstantSource clock;
  private final Map<String, HeldLease> open = new ConcurrentHashMap<>();
  private final Cache<String, HeldLease> ended =
      Caffeine.newBuilder().maximumSize(MAX_ENDED).expireAfterWrite(ENDED_KEPT_FOR).build();
  private final AtomicInteger places = new AtomicInteger();
  private final ScheduledThreadPoolExecutor timers;
  private final Counter full;
  private final Counter expired;
  private final Counter lost;

  LeaseTable(LeaseSettings settings, InstantSource clock, MeterRegistry meters) {
    this.settings = settings;
    this.ids = new LeaseIds(settings);
    this.clock = clock;
    this.timers =
        new ScheduledThreadPoolExecutor(
            1, ThreadFactories.newThreadFactory("millrace-leases", true));
    timers.setRemoveOnCancelPolicy(true);
    this.full = meters.counter("millrace.server.leases.full");
    this.expired = meters.counter("millrace.server.leases.expired");
    this.lost = meters.counter("millrace.server.leases.lost");
    meters.gauge("millrace.server.leases.open", places);
    meters.gauge("millrace.server.leases.timers", timers.getQueue(), Collection::size);
  }

  LeaseIds ids() {
    return ids;
  }

  /** The life of a lease, given the field of the request. */
  Duration ttl(@Nullable Duration requested) {
    return requested == null ? settings.ttl() : LeaseSettings.requireTtl("ttl", requested);
  }

  /** Reserves a place for a lease that is about to be granted, or throws a 503 problem. */
  void reserve() {
    if (places.incrementAndGet() > settings.maxOpen()) {
      places.decrementAndGet();
      full.increment();
      throw ProblemException.of(503, "too-many-leases", "This server holds too many open leases")
          .with("most", settings.maxOpen())
          .with("retryAfterSeconds", 1);
    }
  }

  /** Frees a reserved place: no lease was granted. */
  void unreserve() {
    places.decrementAndGet();
  }

  /** Holds a lease, in a reserved place. */
  HeldLease hold(String namespace, AcquireBody body, Lease lease, Duration ttl) {
    HeldLease held =
        new HeldLease(
            ids.next(namespace),
            namespace,
            body.request(),
            lease,
            clock.instant(),
            ttl,
            body.onExpiry() == null ? settings.onExpiry() : body.onExpiry());
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

  CompletableFuture<HeldLease.View> end(HeldLease held, HeldLease.End end) {
    return held.end(end)
        .whenComplete(
            (result, failure) -> {
              if (failure == null || held.isOver()) {
                moveToEnded(held);
              }
            });
  }

  private void moveToEnded(HeldLease held) {
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
              () -> expire(held, attempt),
              Math.max(attempt == 1 ? 0 : RETRY_MS, delayMs),
              TimeUnit.MILLISECONDS));
    }
  }

  private void expire(HeldLease held, int attempt) {
    if (!open.containsKey(held.id())) {
      return;
    }
    if (clock.instant().isBefore(held.expiresAt())) { // it was extended, or the clock was set back
      watch(held, attempt);
      return;
    }
    try {
      var unused =
          end(held, held.endOrExpiry())
              .whenComplete((result, failure) -> afterExpiry(held, attempt, failure));
    } catch (ProblemException e) {
      watch(held, attempt + 1); // its holder ends it at this moment
    }
  }

  private void afterExpiry(HeldLease held, int attempt, @Nullable Throwable failure) {
    if (failure == null) {
      expired.increment();
    } else if (attempt < MAX_EXPIRY_ATTEMPTS && !held.isOver()) {
      watch(held, attempt + 1);
    } else if (open.containsKey(held.id())) {
      lost.increment();
      LOG.log(
          System.Logger.Level.WARNING,
          "a lease in {0} expired and could not be settled: its charge stands",
          held.namespace());
      moveToEnded(held);
    }
  }

  /** Ends all open leases as the settings say, within {@link #MAX_DRAIN}. */
  @Override
  public void close() {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (HeldLease held : open.values()) {
      try {
        ends.add(
            end(
                held,
                held.endOr(
                    settings.onDrain(),
                    HeldLease.End.Kind.DRAINED_KEPT,
                    HeldLease.End.Kind.DRAINED_REFUNDED)));
      } catch (ProblemException e) {
        // Its holder ends it at this moment.
      }
    }
    try {
      CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
          .get(MAX_DRAIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} leases could not be settled before the stop: their charges stand",
          open.size());
    }
    timers.shutdownNow();
  }
}
