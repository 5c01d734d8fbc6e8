package dev.millrace.client.internal;

import dev.millrace.client.Availability;
import dev.millrace.client.CloseReport;
import dev.millrace.client.LimiterListener;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.client.internal.lease.LeaseSettler;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.resolve.RequestResolver;
import dev.millrace.client.internal.shard.BucketForecast;
import dev.millrace.client.internal.shard.ShardPicker;
import dev.millrace.client.internal.shard.ShardedCharges;
import dev.millrace.client.internal.shard.TransactionalCharges;
import dev.millrace.client.internal.store.Deadline;
import dev.millrace.client.internal.store.HelperThreads;
import dev.millrace.client.internal.store.ListenerList;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.StoreMonitor;
import dev.millrace.client.internal.store.TroubleLog;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.client.internal.write.ConcurrentOperation;
import dev.millrace.client.internal.write.DemandSignal;
import dev.millrace.client.internal.write.GroupCommit;
import dev.millrace.client.internal.write.LeaderRelay;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.client.internal.write.PendingSettlements;
import dev.millrace.client.internal.write.PiggybackWrites;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.AcquireRequest.Draw;
import dev.millrace.core.request.Amounts;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes the parts of a limiter and joins them. Only the two limiters hold it: every part gets the
 * few others that it uses.
 */
final class LimiterParts {
  /** Most threads for work for which no caller waits; only used when the store only blocks. */
  static final int BACKGROUND_THREADS = 32;

  final LimiterOptions options;
  final LimiterMetrics metrics = new LimiterMetrics();
  final ListenerList events = new ListenerList();
  final StoreMonitor monitor;

  /** Threads for the further legs of a request. */
  final HelperThreads helpers;

  final Mirror mirror;
  final PendingSettlements pending;
  final PiggybackWrites riders;
  final GroupCommit groupCommit;
  final LeaderRelay relay;
  final RequestResolver resolver;
  final LeaseSettler settling;
  final AcquireFlow flow;
  final WaitLines lines;
  private final AvailabilityQuery looking;
  private final AtomicBoolean closed = new AtomicBoolean();

  LimiterParts(LimiterOptions options) {
    this.options = options;
    WriteIds ops = new WriteIds(options.random());
    StoreClock clock = new StoreClock(options.time());
    this.monitor = new StoreMonitor(options, clock, events);
    this.helpers =
        new HelperThreads(
            options.threads().helpers("leg", options.maxLegThreads()),
            () -> events.tell(LimiterListener::onLegThreadsBusy));
    HelperThreads background =
        new HelperThreads(
            options.threads().helpers("background", BACKGROUND_THREADS),
            () -> events.tell(LimiterListener::onBackgroundThreadsBusy));
    this.mirror = new Mirror(options, clock, events, background);
    this.pending = new PendingSettlements(options, mirror, events, ops, clock, background);
    this.riders = new PiggybackWrites(options, pending);
    this.groupCommit = new GroupCommit(options, mirror, riders, pending, events, ops, clock);
    this.relay = new LeaderRelay(mirror, pending, helpers, background, options.time());
    this.resolver = new RequestResolver(options, mirror, events, background);
    BucketForecast views = new BucketForecast(options, mirror, clock);
    ShardPicker drawing = new ShardPicker(options, mirror, events, ops, clock);
    this.settling = new LeaseSettler(options, mirror, drawing, pending, events);
    this.flow =
        new AcquireFlow(
            options,
            resolver,
            views,
            riders,
            drawing,
            new ShardedCharges(options, mirror, drawing, views, events, ops),
            new TransactionalCharges(options, mirror, drawing, views, events, ops, clock),
            settling,
            new DemandSignal(mirror, helpers, options.time()),
            events);
    this.looking = new AvailabilityQuery(resolver, views);
    this.lines =
        new WaitLines(options, views, events, new Departures(options, mirror, relay, background));
    events.add(metrics);
    events.add(pending);
    events.add(new TroubleLog(options.time()));
    options.listeners().forEach(events::add);
  }

  /** Checks what can be checked of a request before anything is sent. */
  void check(AcquireRequest request) {
    requireOpen();
    request.requireComplete();
    for (Draw draw : request.draws()) {
      if (draw.limits() != null) {
        Amounts unused = draw.amountsOf(draw.limits());
      }
    }
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the limiter is closed");
    }
  }

  CompletableFuture<Availability> available(
      OperationRunner runner, String entityId, String resource, Limit... limits) {
    requireOpen();
    return looking.available(runner.within(Deadline.of(options)), entityId, resource, limits);
  }

  CompletableFuture<Optional<Duration>> timeUntilAvailable(
      OperationRunner runner, AcquireRequest request) {
    check(request);
    return looking.timeUntilAvailable(runner.within(Deadline.of(options)), request);
  }

  /** Takes more on an open lease. */
  CompletableFuture<Decision> consume(
      OperationRunner runner, LeaseLedger ledger, Map<String, Long> tokens) {
    ledger.requireOpen();
    AcquireRequest request = ledger.request().anew(tokens);
    check(request);
    ledger.requireRoom(tokens);
    if (!ledger.isCharging()) {
      ledger.grantUncharged(tokens);
      return CompletableFuture.completedFuture(new Decision.Granted(ledger));
    }
    return flow.consume(runner, ledger, request);
  }

  /**
   * Accepts no more, and writes down what waits for a write.
   *
   * @return completes when all is written, at the latest after {@code within}
   */
  CompletableFuture<CloseReport> close(Duration within) {
    boolean first = closed.compareAndSet(false, true);
    CompletableFuture<CloseReport> written = pending.drain(riders::giveBackAll);
    CompletableFuture<Void> deadline = options.time().after(within.toMillis());
    CompletableFuture<Void> unusedDeadline = deadline.thenRun(pending::endNow);
    return written.whenComplete(
        (report, failure) -> {
          deadline.complete(null); // frees it
          if (first) {
            helpers.close();
            monitor.close();
            tellClosed(report);
          }
        });
  }

  private void tellClosed(CloseReport report) {
    if (!report.isComplete()) {
      events.tell(listener -> listener.onClosedIncomplete(report));
    }
  }

  /** The same on a thread that waits. */
  CloseReport closeAndWait(Duration within) {
    CompletableFuture<CloseReport> written = close(within);
    if (!ConcurrentOperation.await(options.threads(), written, within)) {
      pending.endNow(); // a clock that stands still has no deadline
    }
    return written.join(); // is done: does not wait
  }
}
