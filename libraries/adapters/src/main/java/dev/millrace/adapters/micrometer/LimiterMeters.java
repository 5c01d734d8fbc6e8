package dev.millrace.adapters.micrometer;

import dev.millrace.LimiterEvent;
import dev.millrace.LimiterEvent.BucketTransition;
import dev.millrace.LimiterEvent.Decision;
import dev.millrace.LimiterEvent.Notice;
import dev.millrace.LimiterEvent.SettlementProgress;
import dev.millrace.LimiterListener;
import dev.millrace.adapters.internal.BoundedLabels;
import dev.millrace.adapters.internal.StoreMeters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The Micrometer meters of one or several limiters together: add it to the listeners of each.
 * Entities are never labels: there may be millions. Resources are, as far as {@link BoundedLabels}
 * allows.
 */
public final class LimiterMeters implements LimiterListener {
  /** Most resources that are kept apart. */
  private static final int MAX_RESOURCES = 50;

  private static final String ACQUIRES = "millrace.acquires";

  private final MeterRegistry meters;
  private final BoundedLabels resources = new BoundedLabels(MAX_RESOURCES);
  private final Map<String, Map<Decision.Outcome, Counter>> acquires = new ConcurrentHashMap<>();
  private final StoreMeters store;
  private final Counter overdrawn;
  private final Counter absences;
  private final Map<SettlementProgress.State, Counter> settlements =
      new EnumMap<>(SettlementProgress.State.class);
  private final Map<BucketTransition.Change, Counter> transitions =
      new EnumMap<>(BucketTransition.Change.class);

  /** Counters of notices by what they count: times, or the amounts of the notices. */
  private final Map<Notice.Kind, Counter> times = new EnumMap<>(Notice.Kind.class);

  private final Map<Notice.Kind, Counter> amounts = new EnumMap<>(Notice.Kind.class);
  private final AtomicLong away = new AtomicLong();
  private final AtomicLong pending = new AtomicLong();
  private final AtomicLong mostShards = new AtomicLong(1);

  /** Registers in {@code meters}; everything exists from the beginning, at zero. */
  public LimiterMeters(MeterRegistry meters) {
    this.meters = meters;
    acquires.put(BoundedLabels.OTHER, counters(BoundedLabels.OTHER));
    this.store = new StoreMeters(meters);
    this.overdrawn = meters.counter("millrace.overdrawn");
    this.absences = meters.counter("millrace.store.absences");
    settlements.put(SettlementProgress.State.WRITTEN, meters.counter("millrace.settled"));
    settlements.put(SettlementProgress.State.FAILED, meters.counter("millrace.settle.failures"));
    settlements.put(
        SettlementProgress.State.POSTPONED, meters.counter("millrace.settlements.postponed"));
    settlements.put(
        SettlementProgress.State.GIVEN_UP, meters.counter("millrace.settlements.given.up"));
    transitions.put(BucketTransition.Change.CREATED, meters.counter("millrace.buckets.created"));
    transitions.put(
        BucketTransition.Change.REPARAMETERISED,
        meters.counter("millrace.buckets.reparameterised"));
    transitions.put(BucketTransition.Change.RESIZED, meters.counter("millrace.shards.resized"));
    transitions.put(BucketTransition.Change.SPLIT, meters.counter("millrace.shards.split"));
    transitions.put(BucketTransition.Change.MERGED, meters.counter("millrace.shards.merged"));
    amounts.put(Notice.Kind.GIVEN_BACK, meters.counter("millrace.given.back"));
    amounts.put(Notice.Kind.UNKNOWN_OUTCOME, meters.counter("millrace.unknown.outcomes"));
    amounts.put(Notice.Kind.LOST_LOCK, meters.counter("millrace.lost.locks"));
    times.put(Notice.Kind.OUTDATED, meters.counter("millrace.outdated"));
    times.put(Notice.Kind.LOOK_UP, meters.counter("millrace.look.ups"));
    times.put(Notice.Kind.LOOK_UPS_FULL, meters.counter("millrace.look.ups.full"));
    times.put(Notice.Kind.CONFIG_SET_BACK, meters.counter("millrace.configs.set.back"));
    times.put(Notice.Kind.LEG_THREADS_BUSY, meters.counter("millrace.leg.threads.busy"));
    times.put(
        Notice.Kind.BACKGROUND_THREADS_BUSY, meters.counter("millrace.background.threads.busy"));
    times.put(Notice.Kind.REFILL_HEALED, meters.counter("millrace.refills.healed"));
    times.put(Notice.Kind.CLOCK_CORRECTED, meters.counter("millrace.clock.corrections"));
    times.put(Notice.Kind.LISTENER_FAILED, meters.counter("millrace.listener.failures"));
    times.put(Notice.Kind.WAIT_LINE_FULL, meters.counter("millrace.wait.lines.full"));
    times.put(Notice.Kind.WRITE_BUDGET_SPENT, meters.counter("millrace.write.budgets.spent"));
    times.put(Notice.Kind.QUEUE_FULL, meters.counter("millrace.queues.full"));
    times.put(Notice.Kind.TAKEN_FROM_SHARDS, meters.counter("millrace.wide"));
    times.put(Notice.Kind.LEFT_ELSEWHERE, meters.counter("millrace.left.elsewhere"));
    Gauge.builder("millrace.store.away", away, AtomicLong::get)
        .strongReference(true)
        .register(meters);
    Gauge.builder("millrace.settlements.pending", pending, AtomicLong::get)
        .strongReference(true)
        .register(meters);
    Gauge.builder("millrace.shards.most", mostShards, AtomicLong::get)
        .strongReference(true)
        .register(meters);
  }

  @Override
  public void onEvent(LimiterEvent event) {
    if (event instanceof Decision decision) {
      String resource = resources.of(decision.bucket().resource());
      count(acquires.computeIfAbsent(resource, this::counters).get(decision.outcome()), 1);
      if (!decision.overdrawn().isEmpty()) {
        overdrawn.increment();
      }
    } else if (event instanceof LimiterEvent.RoundTrip trip) {
      store.count(trip);
    } else if (event instanceof SettlementProgress settlement) {
      count(settlements.get(settlement.state()), 1);
    } else if (event instanceof BucketTransition transition) {
      count(transitions.get(transition.change()), 1);
      if (transition.change() == BucketTransition.Change.DIVISION_SEEN) {
        mostShards.accumulateAndGet(transition.shards(), Math::max);
      }
    } else if (event instanceof LimiterEvent.StoreAvailability availability) {
      away.addAndGet(availability.available() ? -1 : 1);
      count(availability.available() ? null : absences, 1);
    } else if (event instanceof Notice notice) {
      count(times.get(notice.kind()), 1);
      count(amounts.get(notice.kind()), (double) notice.amount());
      pending.addAndGet(notice.kind() == Notice.Kind.SETTLEMENTS_PENDING ? notice.amount() : 0);
    }
  }

  private Map<Decision.Outcome, Counter> counters(String resource) {
    Map<Decision.Outcome, Counter> counters = new EnumMap<>(Decision.Outcome.class);
    for (Decision.Outcome outcome : Decision.Outcome.values()) {
      String label = StoreMeters.label(outcome);
      counters.put(outcome, meters.counter(ACQUIRES, "outcome", label, "resource", resource));
    }
    return counters;
  }

  private static void count(@Nullable Counter counter, double amount) {
    if (counter != null) {
      counter.increment(amount);
    }
  }
}
