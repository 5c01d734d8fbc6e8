package dev.millrace.client.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Availability;
import dev.millrace.CloseReport;
import dev.millrace.ConfigCacheStats;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterDisabledException;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.client.internal.lease.LeaseSettler;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.resolve.RequestResolver;
import dev.millrace.client.internal.resolve.Resolution;
import dev.millrace.client.internal.shard.BucketForecast;
import dev.millrace.client.internal.shard.ShardPicker;
import dev.millrace.client.internal.shard.ShardedCharges;
import dev.millrace.client.internal.shard.TransactionalCharges;
import dev.millrace.client.internal.store.AsyncDriver;
import dev.millrace.client.internal.store.BlockingDriver;
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.client.internal.store.HelperThreads;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.StoreMonitor;
import dev.millrace.client.internal.store.Throwables;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.client.internal.write.AsyncRunner;
import dev.millrace.client.internal.write.BlockingRunner;
import dev.millrace.client.internal.write.ConcurrentOperation;
import dev.millrace.client.internal.write.DemandSignal;
import dev.millrace.client.internal.write.GroupCommit;
import dev.millrace.client.internal.write.LeaderRelay;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.client.internal.write.PendingSettlements;
import dev.millrace.client.internal.write.PiggybackWrites;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the parts of a limiter, and passes requests to them. Every part gets the few others that it
 * uses; none but leases hold the limiter.
 *
 * <p>A call that waits runs on the caller's thread when the store blocks, so the futures of the
 * parts are complete. When the store is only asynchronous, the call waits for them.
 */
public final class DefaultRateLimiter implements RateLimiter {
  /** Most threads for work for which no caller waits; only used when the store only blocks. */
  static final int BACKGROUND_THREADS = 32;

  private final LimiterOptions options;
  private final LimiterEvents events;
  private final StoreMonitor monitor;

  /** Threads for the further legs of a request. */
  private final HelperThreads helpers;

  private final Mirror mirror;
  private final PendingSettlements pending;
  private final PiggybackWrites piggyback;
  private final RequestResolver resolver;
  final LeaseSettler settler;
  final AcquireFlow flow;
  private final AvailabilityQuery availability;

  /** For calls that wait; the asynchronous one when the store does not block. */
  final OperationRunner waitingRunner;

  private final @Nullable BlockingWait blockingWait;

  /** For calls that do not wait; null when the store only blocks. */
  private final @Nullable AsyncRunner asyncRunner;

  private final @Nullable AsyncWait asyncWait;
  private final AtomicBoolean closed = new AtomicBoolean();

  private DefaultRateLimiter(
      @Nullable BlockingStore blocking, @Nullable AsyncStore async, LimiterOptions options) {
    this.options = options;
    WriteIds ops = new WriteIds(options.random());
    StoreClock clock = new StoreClock(options.time());
    this.events = new LimiterEvents(options);
    this.monitor = new StoreMonitor(options, clock, events);
    this.helpers =
        new HelperThreads(
            options.threads().helpers("leg", options.maxLegThreads()), events::legThreadsBusy);
    HelperThreads background =
        new HelperThreads(
            options.threads().helpers("background", BACKGROUND_THREADS),
            events::backgroundThreadsBusy);
    this.mirror = new Mirror(options, clock, events, background);
    this.pending = new PendingSettlements(options, mirror, events, ops, clock, background);
    this.piggyback = new PiggybackWrites(options, pending);
    GroupCommit groupCommit = new GroupCommit(mirror, piggyback, pending, events, ops, clock);
    LeaderRelay relay = new LeaderRelay(mirror, pending, helpers, background, options.time());
    this.resolver = new RequestResolver(options, mirror, events, background);
    BucketForecast forecast = new BucketForecast(options, mirror, clock);
    ShardPicker picker = new ShardPicker(options, mirror, events, ops, clock);
    this.settler = new LeaseSettler(options, mirror, picker, pending, events);
    this.flow =
        new AcquireFlow(
            options,
            resolver,
            forecast,
            piggyback,
            picker,
            new ShardedCharges(options, mirror, picker, forecast, events, ops),
            new TransactionalCharges(options, mirror, picker, forecast, events, ops, clock),
            settler,
            new DemandSignal(mirror, helpers, options.time()),
            events,
            ledger -> new DefaultLease(this, ledger));
    this.availability = new AvailabilityQuery(resolver, forecast);
    WaitLines lines =
        new WaitLines(
            options, forecast, events, new Departures(options, mirror, relay, background));
    BlockingRunner blockingRunner = null;
    if (blocking != null) {
      BlockingDriver driver = new BlockingDriver(monitor, blocking, helpers, options.threads());
      monitor.probeBy(driver::probe);
      blockingRunner = new BlockingRunner(options, driver, groupCommit, relay, pending);
      relay.blocking(blockingRunner);
      pending.schedule().writeBy(blockingRunner);
    }
    AsyncRunner runner = null;
    if (async != null) {
      AsyncDriver driver = new AsyncDriver(monitor, async);
      monitor.probeBy(driver::send);
      runner = new AsyncRunner(options, driver, groupCommit, relay, pending);
      relay.async(runner);
      pending.schedule().writeBy(runner);
    }
    this.asyncRunner = runner;
    this.asyncWait = runner == null ? null : new AsyncWait(lines, flow, runner);
    this.waitingRunner = blockingRunner == null ? Objects.requireNonNull(runner) : blockingRunner;
    this.blockingWait =
        blockingRunner == null
            ? null
            : new BlockingWait(lines, flow, blockingRunner, options.threads());
    monitor.whenBack(pending::storeBack);
  }

  /** See {@link RateLimiter#create}. */
  public static RateLimiter create(BlockingStore store, LimiterOptions options) {
    return new DefaultRateLimiter(store, store instanceof AsyncStore async ? async : null, options);
  }

  /** See {@link RateLimiter#createAsync}. */
  public static RateLimiter createAsync(AsyncStore store, LimiterOptions options) {
    return new DefaultRateLimiter(null, store, options);
  }

  @Override
  public boolean isAsync() {
    return asyncRunner != null;
  }

  AsyncRunner asyncRunner() {
    if (asyncRunner == null) {
      throw new IllegalStateException(
          "this limiter's store only blocks: create it with a store that is an AsyncStore too");
    }
    return asyncRunner;
  }

  /** Checks what can be checked of a request before anything is sent. */
  void check(AcquireRequest request) {
    requireOpen();
    request.requireComplete();
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the limiter is closed");
    }
  }

  /** The answer, after a refusal was reported to the listeners. */
  Acquisition reported(OperationRunner runner, AcquireRequest request, Acquisition acquisition) {
    if (!(acquisition instanceof Acquisition.Granted)) {
      flow.reportRefused(runner, acquisition, request);
    }
    return acquisition;
  }

  static Lease leaseOrThrow(Acquisition acquisition) {
    if (acquisition instanceof Acquisition.Granted granted) {
      return granted.lease();
    }
    if (acquisition instanceof Acquisition.Disabled off) {
      throw new LimiterDisabledException(off.disabled());
    }
    throw new RateLimitExceededException(((Acquisition.Refused) acquisition).rejection());
  }

  /**
   * The result of a future of the waiting runner; throws what it failed with. Does not wait when
   * the store blocks; otherwise the future has a time limit of its own. An interrupt is kept.
   */
  <T> T await(CompletableFuture<T> answer) {
    if (!answer.isDone()) {
      boolean unused = ConcurrentOperation.await(options.threads(), answer, WaitLines.MAX_WAIT);
    }
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw Throwables.unchecked(Throwables.unwrapped(e));
    }
  }

  @Override
  public Lease acquire(AcquireRequest request) {
    return leaseOrThrow(tryAcquire(request));
  }

  @Override
  public Lease acquire(AcquireRequest request, Duration maxWait) throws InterruptedException {
    return leaseOrThrow(tryAcquire(request, maxWait));
  }

  @Override
  public Acquisition tryAcquire(AcquireRequest request) {
    check(request);
    return reported(waitingRunner, request, await(flow.acquire(waitingRunner, request)));
  }

  @Override
  public Acquisition tryAcquire(AcquireRequest request, Duration maxWait)
      throws InterruptedException {
    if (blockingWait == null) {
      return awaitInterruptibly(waitAsync(request, maxWait, Function.identity()));
    }
    check(request);
    long maxWaitMs = WaitLines.requireMaxWaitMs(maxWait);
    Resolution resolution = await(resolver.prepare(waitingRunner, request));
    return reported(
        waitingRunner,
        request,
        resolution instanceof Resolution.Ready ready
            ? blockingWait.acquire(ready.prepared(), maxWaitMs)
            : await(flow.unresolved(request, (Resolution.Unavailable) resolution)));
  }

  /** An interrupt cancels the answer, and what it took is given back, unless it is in. */
  private Acquisition awaitInterruptibly(CompletableFuture<Acquisition> answer)
      throws InterruptedException {
    try {
      boolean unused = options.threads().await(answer, Long.MAX_VALUE); // the line ends it in time
    } catch (InterruptedException e) {
      if (answer.cancel(false)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
    return await(answer);
  }

  @Override
  public CompletionStage<Lease> acquireAsync(AcquireRequest request) {
    return askAsync(request, DefaultRateLimiter::leaseOrThrow);
  }

  @Override
  public CompletionStage<Lease> acquireAsync(AcquireRequest request, Duration maxWait) {
    return waitAsync(request, maxWait, DefaultRateLimiter::leaseOrThrow);
  }

  @Override
  public CompletionStage<Acquisition> tryAcquireAsync(AcquireRequest request) {
    return askAsync(request, Function.identity());
  }

  @Override
  public CompletionStage<Acquisition> tryAcquireAsync(AcquireRequest request, Duration maxWait) {
    return waitAsync(request, maxWait, Function.identity());
  }

  private <T> CompletableFuture<T> askAsync(
      AcquireRequest request, Function<Acquisition, T> answer) {
    AsyncRunner runner = asyncRunner();
    check(request);
    CompletableFuture<T> handed = new CompletableFuture<>();
    handOver(request, flow.acquire(runner, request), answer, handed);
    return handed;
  }

  private <T> CompletableFuture<T> waitAsync(
      AcquireRequest request, Duration maxWait, Function<Acquisition, T> answer) {
    AsyncRunner runner = asyncRunner();
    check(request);
    CompletableFuture<T> handed = new CompletableFuture<>();
    long maxWaitMs = WaitLines.requireMaxWaitMs(maxWait);
    CompletableFuture<Acquisition> decided =
        resolver
            .prepare(runner, request)
            .thenCompose(
                resolution ->
                    resolution instanceof Resolution.Ready ready
                        ? Objects.requireNonNull(asyncWait)
                            .acquire(ready.prepared(), maxWaitMs, handed)
                        : flow.unresolved(request, (Resolution.Unavailable) resolution));
    handOver(request, decided, answer, handed);
    return handed;
  }

  /**
   * Completes the future in the caller's hands. When the caller cancelled it before, nothing holds
   * the lease, so it is given back.
   */
  private <T> void handOver(
      AcquireRequest request,
      CompletableFuture<Acquisition> decided,
      Function<Acquisition, T> answer,
      CompletableFuture<T> handed) {
    CompletableFuture<Acquisition> unused =
        decided
            .thenApply(acquisition -> reported(asyncRunner(), request, acquisition))
            .whenComplete(
                (acquisition, failure) -> {
                  if (failure != null) {
                    handed.completeExceptionally(Throwables.unwrapped(failure));
                    return;
                  }
                  boolean taken;
                  try {
                    taken = handed.complete(answer.apply(acquisition));
                  } catch (RateLimitExceededException | LimiterDisabledException e) {
                    taken = handed.completeExceptionally(e);
                  }
                  if (!taken && acquisition instanceof Acquisition.Granted granted) {
                    CompletionStage<Void> unusedEnd =
                        granted.lease().cancelAsync(); // listeners are told of its failure
                  }
                });
  }

  @Override
  public <T, X extends Exception> T call(AcquireRequest request, Body<T, X> body) throws X {
    return LimitedCall.run(acquire(request), body);
  }

  @Override
  public <T> CompletionStage<T> callAsync(
      AcquireRequest request, Function<Lease, CompletionStage<T>> body) {
    return LimitedCall.runAsync(askAsync(request, DefaultRateLimiter::leaseOrThrow), body);
  }

  @Override
  public Availability available(String entityId, String resource, Limit... limits) {
    return await(available(waitingRunner, entityId, resource, limits));
  }

  @Override
  public CompletionStage<Availability> availableAsync(
      String entityId, String resource, Limit... limits) {
    return available(asyncRunner(), entityId, resource, limits);
  }

  private CompletableFuture<Availability> available(
      OperationRunner runner, String entityId, String resource, Limit... limits) {
    requireOpen();
    return availability.available(
        runner.within(CallBudget.of(options)), entityId, resource, limits);
  }

  @Override
  public Optional<Duration> timeUntilAvailable(AcquireRequest request) {
    return await(timeUntilAvailable(waitingRunner, request));
  }

  @Override
  public CompletionStage<Optional<Duration>> timeUntilAvailableAsync(AcquireRequest request) {
    return timeUntilAvailable(asyncRunner(), request);
  }

  private CompletableFuture<Optional<Duration>> timeUntilAvailable(
      OperationRunner runner, AcquireRequest request) {
    check(request);
    return availability.timeUntilAvailable(runner.within(CallBudget.of(options)), request);
  }

  @Override
  public void invalidate() {
    resolver.invalidate();
  }

  @Override
  public void forgetBuckets() {
    mirror.forget();
    resolver.forget();
  }

  @Override
  public ConfigCacheStats configCache() {
    return resolver.stats();
  }

  @Override
  public LimiterMetrics metrics() {
    return events.metrics();
  }

  @Override
  public CloseReport close(Duration within) {
    CompletableFuture<CloseReport> written = beginClose(within);
    if (!ConcurrentOperation.await(options.threads(), written, within)) {
      pending.endNow(); // a clock that stands still has no deadline
    }
    return written.join(); // is done: does not wait
  }

  @Override
  public CompletionStage<CloseReport> closeAsync(Duration within) {
    AsyncRunner unused = asyncRunner();
    return beginClose(within);
  }

  /** Accepts no more, and writes down what waits for a write; is done after {@code within}. */
  private CompletableFuture<CloseReport> beginClose(Duration within) {
    boolean first = closed.compareAndSet(false, true);
    CompletableFuture<CloseReport> written = pending.drain(piggyback::giveBackAll);
    CompletableFuture<Void> deadline = options.time().after(within.toMillis());
    CompletableFuture<Void> unusedDeadline = deadline.thenRun(pending::endNow);
    return written.whenComplete(
        (report, failure) -> {
          deadline.complete(null); // frees it
          if (first) {
            helpers.close();
            monitor.close();
            if (!report.isComplete()) {
              events.closedIncomplete(report);
            }
          }
        });
  }
}
