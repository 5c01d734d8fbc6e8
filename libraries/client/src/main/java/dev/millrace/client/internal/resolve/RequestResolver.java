package dev.millrace.client.internal.resolve;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.BucketKey;
import dev.millrace.ConfigCacheStats;
import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.store.ListenerList;
import dev.millrace.client.internal.store.SingleFlight;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what holds for a request: its limits, whether it is switched on, and on which ancestors
 * it draws. Mostly from memory; {@link RecordLookUp} asks the store.
 */
public final class RequestResolver {
  /** Least age of what is known before a wrong request makes the store be asked again. */
  public static final long LOOK_AGAIN_MS = 1_000;

  /**
   * Most look-ups at once for buckets that are known to follow a later configuration. A change that
   * concerns every bucket would make a process look all of them up at the same time.
   */
  public static final int MAX_RENEWALS = 256;

  /** How often one waits for the look-up of others before one looks oneself. */
  private static final int MAX_WAITS = 3;

  private final LimiterOptions options;
  private final Mirror mirror;
  private final ListenerList events;
  private final RecordCache records;
  private final SingleFlight opening = new SingleFlight();
  private final AtomicInteger renewals = new AtomicInteger();
  private volatile @Nullable String namespaceId;

  public RequestResolver(
      LimiterOptions options, Mirror mirror, ListenerList events, Executor background) {
    this.options = options;
    this.mirror = mirror;
    this.events = events;
    this.records = new RecordCache(options, background);
    this.namespaceId = options.knownNamespaceId();
  }

  public RecordCache records() {
    return records;
  }

  /** What every key begins with, null until it was looked up. */
  public @Nullable String namespaceId() {
    return namespaceId;
  }

  /** The id of the namespace, or its name as long as the id is not known. */
  public String namespaceOrName() {
    String id = namespaceId;
    return id == null ? options.namespace() : id;
  }

  public void namespaceId(String id) {
    this.namespaceId = id;
  }

  public ConfigCacheStats stats() {
    return records.stats();
  }

  /** Tells that a bucket follows later versions of records than are stored. */
  public void tellConfigSetBack(Leg leg, ConfigStamp bucket) {
    events.tell(
        listener ->
            listener.onConfigSetBack(leg.key(), bucket.versions(), leg.terms().stamp().versions()));
  }

  /** Forgets everything: the next requests look it up. */
  public void invalidate() {
    records.clear();
  }

  /** A request with its legs, from what is known or from the store. */
  public CompletableFuture<Resolution> prepare(OperationRunner runner, AcquireRequest request) {
    ResolvedRequest known = now(request);
    return known != null
        ? CompletableFuture.completedFuture(new Resolution.Ready(known))
        : lookUp(runner.within(runner.budget()), request, CachedConfig.ANY);
  }

  /** The request with its legs from what is known, or null when the store must be asked. */
  public @Nullable ResolvedRequest now(AcquireRequest request) {
    return now(request, CachedConfig.ANY);
  }

  private @Nullable ResolvedRequest now(AcquireRequest request, long after) {
    String namespace = namespaceId;
    if (namespace == null) {
      return null;
    }
    long nowMs = options.time().elapsedMs();
    MirroredBucket first = mirror.bucket(request.keyIn(namespace));
    CachedConfig firstKnown = current(first, after, nowMs);
    if (firstKnown == null) {
      return null;
    }
    ResolvedRequest last = first.reusable();
    if (last != null && last.isReusable(request, firstKnown)) {
      return last;
    }
    ResolvedRequest prepared = fromKnown(namespace, request, after, nowMs);
    ResolvedRequest reusable = prepared == null ? null : prepared.reusable(firstKnown);
    if (reusable != null) {
      first.reusable(reusable);
    }
    return prepared;
  }

  private @Nullable ResolvedRequest fromKnown(
      String namespace, AcquireRequest request, long after, long nowMs) {
    LegCollector legs = new LegCollector(request, nowMs, CachedConfig.OwnLooks.NONE);
    for (int i = 0; i < request.draws().size(); i++) {
      ResourceAmounts draw = request.draws().get(i);
      BucketKey key =
          i == 0
              ? request.keyIn(namespace)
              : BucketKey.first(namespace, request.entityId(), draw.resource());
      for (int depth = 0; key != null && depth <= EntityRecord.MAX_ANCESTORS; depth++) {
        MirroredBucket bucket = mirror.bucket(key);
        CachedConfig known = current(bucket, after, nowMs);
        if (known == null) {
          return null;
        }
        if (i == 0 && depth == 0) {
          if (!LegCollector.suffices(draw, known)) {
            return null;
          }
          legs.addFirst(bucket, known);
        } else {
          legs.add(draw, depth == 0, bucket, known);
        }
        key = known.parent();
      }
    }
    return legs.prepared(options);
  }

  /** What is known of a bucket and not too old. */
  private @Nullable CachedConfig current(MirroredBucket bucket, long after, long nowMs) {
    CachedConfig known = bucket.known();
    return known != null
            && known.age().generation() == records.generation()
            && known.age().isAfter(after)
            && nowMs < known.age().untilMs()
        ? known
        : null;
  }

  /**
   * The request with its legs, from the store. Of many who need the same at once one asks.
   *
   * @param after what was not surely read after so many looks is known to be out of date; {@link
   *     CachedConfig#ANY} when nothing is
   */
  public CompletableFuture<Resolution> lookUp(
      OperationRunner runner, AcquireRequest request, long after) {
    return lookUp(runner, request, after, /* waits= */ 0);
  }

  private CompletableFuture<Resolution> lookUp(
      OperationRunner runner, AcquireRequest request, long after, int waits) {
    String namespace = namespaceId;
    SingleFlight flight =
        namespace == null ? opening : mirror.bucket(request.keyIn(namespace)).lookUp();
    RecordLookUp resolving = new RecordLookUp(options, mirror, events, this, request, after);
    CompletableFuture<Optional<StoreFailure>> others = resolving.begin(flight);
    if (others == null || waits == MAX_WAITS) {
      return after == CachedConfig.ANY ? run(runner, resolving) : renew(runner, request, resolving);
    }
    try {
      ResolvedRequest meanwhile = resolving.fromCache(); // it is being renewed, and used until then
      if (meanwhile != null) {
        return CompletableFuture.completedFuture(new Resolution.Ready(meanwhile));
      }
    } catch (RuntimeException wrong) {
      return CompletableFuture.failedFuture(wrong);
    }
    return runner.after(
        others,
        () -> {
          StoreFailure failure = others.getNow(Optional.empty()).orElse(null);
          if (failure != null) {
            return CompletableFuture.completedFuture(unavailable(request, failure));
          }
          ResolvedRequest prepared = now(request, after);
          if (prepared != null) {
            return CompletableFuture.completedFuture(new Resolution.Ready(prepared));
          }
          // They looked for something else, or too early. Who has waited in vain looks alone.
          return lookUp(runner, request, after, others.isDone() ? waits + 1 : MAX_WAITS);
        });
  }

  /** Runs one of the bounded look-ups. */
  private CompletableFuture<Resolution> renew(
      OperationRunner runner, AcquireRequest request, RecordLookUp resolving) {
    if (renewals.incrementAndGet() > MAX_RENEWALS) {
      renewals.decrementAndGet();
      StoreFailure busy = new StoreFailure(StoreFailure.Kind.BUSY, null);
      resolving.end(Optional.of(busy));
      events.tell(listener -> listener.onLookUpsFull(request.keyIn(namespaceOrName())));
      return CompletableFuture.completedFuture(unavailable(request, busy));
    }
    return run(runner, resolving).whenComplete((preparation, broken) -> renewals.decrementAndGet());
  }

  private static CompletableFuture<Resolution> run(OperationRunner runner, RecordLookUp resolving) {
    CompletableFuture<Resolution> result;
    try {
      result = runner.run(resolving.start());
    } catch (RuntimeException | Error broken) {
      result = CompletableFuture.failedFuture(broken);
    }
    return result.whenComplete(
        (preparation, broken) ->
            resolving.end(
                preparation instanceof Resolution.Unavailable unavailable
                    ? Optional.of(unavailable.failure())
                    : Optional.empty()));
  }

  /** The answer when the store did not tell what holds. */
  public Resolution unavailable(AcquireRequest request, StoreFailure failure) {
    return new Resolution.Unavailable(
        failure, ResolvedRequest.policy(request, options, records.policy()));
  }
}
