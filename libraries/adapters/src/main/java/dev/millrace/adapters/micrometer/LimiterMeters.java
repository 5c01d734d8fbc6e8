package dev.millrace.adapters.micrometer;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.DisabledBucket;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterMetrics;
import dev.millrace.OnUnavailable;
import dev.millrace.Rejection;
import dev.millrace.adapters.internal.BoundedLabels;
import dev.millrace.adapters.internal.StoreMeters;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The Micrometer meters of the limiters, all namespaces together. The counts of {@link
 * LimiterMetrics} are read from there on demand; counts with labels are kept here. Entities are
 * never labels: there may be millions. Resources are, as far as {@link BoundedLabels} allows.
 */
public final class LimiterMeters implements LimiterListener {
  /** Most resources that are kept apart. */
  private static final int MAX_RESOURCES = 50;

  private static final String ACQUIRES = "millrace.acquires";
  private static final String ADMITTED = "admitted";
  private static final String REFUSED = "refused";
  private static final String DISABLED = "disabled";
  private static final String BLOCKED = "blocked";
  private static final String DEGRADED = "degraded";
  private static final List<String> OUTCOMES =
      List.of(ADMITTED, REFUSED, DISABLED, BLOCKED, DEGRADED);

  private final MeterRegistry meters;
  private final LimiterMetrics totals;
  private final BoundedLabels resources = new BoundedLabels(MAX_RESOURCES);
  private final Map<String, Map<String, Counter>> acquires = new ConcurrentHashMap<>();
  private final StoreMeters store;

  /** Registers in {@code meters}; everything exists from the beginning, at zero. */
  public LimiterMeters(MeterRegistry meters, LimiterMetrics totals) {
    this.meters = meters;
    this.totals = totals;
    acquires.put(BoundedLabels.OTHER, counters(BoundedLabels.OTHER));
    this.store = new StoreMeters(meters);
    total("millrace.overdrawn", LimiterMetrics.Snapshot::overdrawn);
    total("millrace.given.back", LimiterMetrics.Snapshot::givenBack);
    total("millrace.outdated", LimiterMetrics.Snapshot::outdated);
    total("millrace.look.ups", LimiterMetrics.Snapshot::lookUps);
    total("millrace.look.ups.full", LimiterMetrics.Snapshot::lookUpsFull);
    total("millrace.configs.set.back", LimiterMetrics.Snapshot::configsSetBack);
    total("millrace.leg.threads.busy", LimiterMetrics.Snapshot::legThreadsBusy);
    total("millrace.unknown.outcomes", LimiterMetrics.Snapshot::unknownOutcomes);
    total("millrace.lost.locks", LimiterMetrics.Snapshot::lostLocks);
    total("millrace.buckets.created", LimiterMetrics.Snapshot::created);
    total("millrace.buckets.reparameterised", LimiterMetrics.Snapshot::reparameterised);
    total("millrace.refills.healed", LimiterMetrics.Snapshot::healedRefills);
    total("millrace.clock.corrections", LimiterMetrics.Snapshot::clockCorrections);
    total("millrace.settled", LimiterMetrics.Snapshot::settled);
    total("millrace.settle.failures", LimiterMetrics.Snapshot::settleFailures);
    total("millrace.settlements.postponed", LimiterMetrics.Snapshot::settlementsPostponed);
    total("millrace.settlements.given.up", LimiterMetrics.Snapshot::settlementsGivenUp);
    total("millrace.background.threads.busy", LimiterMetrics.Snapshot::backgroundThreadsBusy);
    total("millrace.listener.failures", LimiterMetrics.Snapshot::listenerFailures);
    total("millrace.wait.lines.full", LimiterMetrics.Snapshot::waitLinesFull);
    total("millrace.queues.full", LimiterMetrics.Snapshot::queuesFull);
    total("millrace.shards.resized", LimiterMetrics.Snapshot::resized);
    total("millrace.shards.split", LimiterMetrics.Snapshot::splits);
    total("millrace.shards.merged", LimiterMetrics.Snapshot::merges);
    total("millrace.wide", LimiterMetrics.Snapshot::wide);
    total("millrace.left.elsewhere", LimiterMetrics.Snapshot::leftElsewhere);
    total("millrace.store.absences", LimiterMetrics.Snapshot::storeAbsences);
    gauge("millrace.store.away", LimiterMetrics.Snapshot::storeAway);
    gauge("millrace.settlements.pending", LimiterMetrics.Snapshot::settlementsPending);
    gauge("millrace.shards.most", LimiterMetrics.Snapshot::mostShards);
  }

  private void total(String name, ToDoubleFunction<LimiterMetrics.Snapshot> which) {
    FunctionCounter.builder(name, totals, all -> which.applyAsDouble(all.snapshot()))
        .register(meters);
  }

  private void gauge(String name, ToDoubleFunction<LimiterMetrics.Snapshot> which) {
    Gauge.builder(name, totals, all -> which.applyAsDouble(all.snapshot())).register(meters);
  }

  private Map<String, Counter> counters(String resource) {
    return OUTCOMES.stream()
        .collect(
            Collectors.toMap(
                Function.identity(),
                outcome -> meters.counter(ACQUIRES, "outcome", outcome, "resource", resource)));
  }

  private void count(BucketKey key, String outcome) {
    Counter counter =
        acquires.computeIfAbsent(resources.of(key.resource()), this::counters).get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void onAdmitted(BucketKey key, Amounts amounts) {
    count(key, ADMITTED);
  }

  @Override
  public void onRefused(BucketKey key, Rejection rejection) {
    count(key, REFUSED);
  }

  @Override
  public void onDisabled(BucketKey key, DisabledBucket disabled) {
    count(key, DISABLED);
  }

  /** Blocked, or admitted without a charge. */
  @Override
  public void onUnavailable(BucketKey key, StoreFailure failure, OnUnavailable policy) {
    count(key, policy == OnUnavailable.ALLOW ? DEGRADED : BLOCKED);
  }

  @Override
  public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
    store.count(call, reply, elapsedNanos);
  }
}
