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
import dev.millrace.client.internal.store.LimiterEvents;
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
 * Resolves requests: to their limits, to whether they are switched on, and to the ancestors on
 * which they draw. Mostly from memory; {@link RecordLookUp} asks the store.
 */
public final class RequestResolver {
  /** Least age of what is known before a wrong request makes the store be asked again. */
  public static final long LOOK_AGAIN_MS = 1_000;

  /**
   * Most look-ups at once for buckets that are known to follow a later configuration. A change that
   * concerns every bucket would make a process look all of them up at the same time.
   */
  public static final int MAX_RENEWALS = 256;

  /** Most waits for the look-up of another caller before a request is looked up by its own. */
  private static final int MAX_WAITS = 3;

  /** Most requests whose legs are kept, a power of two. */
  static final int RECENT = 4_096;

  /** How long legs are kept at most: the mirror must notice which buckets are used. */
  static final long RECENT_MS = 1_000;

  /** A request that was resolved a moment ago. */
  private record Recent(
      AcquireRequest request,
      ResolvedRequest resolved,
      MirroredBucket bucket,
      CachedConfig config,
      long untilMs) {
    @SuppressWarnings("ReferenceEquality") // whether it was looked up since
    boolean isCurrent() {
      return bucket.config() == config;
    }
  }

  private final LimiterOptions options;
  private final Mirror mirror;
  private final LimiterEvents events;
  private final RecordCache records;
  private final SingleFlight opening = new SingleFlight();
  private final long recentMs;

  /** Written and read without order: an entry is immutable, and a lost one is made again. */
  private volatile @Nullable Recent[] recent = new Recent[RECENT];

  private final AtomicInteger renewals = new AtomicInteger();
  private volatile @Nullable String namespaceId;

  public RequestResolver(
      LimiterOptions options, Mirror mirror, LimiterEvents events, Executor background) {
    this.options = options;
    this.mirror = mirror;
    this.events = events;
    this.records = new RecordCache(options, background);
    this.recentMs = Math.min(RECENT_MS, options.mirrorAge().toMillis() / 10);
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
    forget();
  }

  /** Drops the legs of recent requests, whose buckets may have been forgotten. */
  public void forget() {
    this.recent = new Recent[RECENT];
  }

  public ConfigCacheStats stats() {
    return records.stats();
  }

  /** Reports that a bucket follows later versions of records than are stored. */
  public void reportConfigSetBack(Leg leg, ConfigStamp bucket) {
    events.configSetBack(leg.key(), bucket.versions(), leg.terms().stamp().versions());
  }

  /** Forgets everything: the next requests look it up. */
  public void invalidate() {
    records.clear();
    forget();
  }

  /** A request with its legs, from what is known or from the store. */
  public CompletableFuture<Resolution> prepare(OperationRunner runner, AcquireRequest request) {
    ResolvedRequest known = now(request, options.time().elapsedMs());
    return known != null
        ? CompletableFuture.completedFuture(new Resolution.Ready(known))
        : lookUp(runner.within(runner.budget()), request, CachedConfig.ANY);
  }

  /**
   * The request with its legs from what is known, or null when the store must be asked. The same
   * request object is answered by the same legs for up to {@link #RECENT_MS}, if nothing changes.
   */
  @SuppressWarnings("ReferenceEquality") // the same, not an equal one: comparing costs more
  public @Nullable ResolvedRequest now(AcquireRequest request, long elapsedMs) {
    Recent[] slots = recent; // before the namespace: who changes that replaces them afterwards
    String namespace = namespaceId;
    if (namespace == null) {
      return null;
    }
    BucketKey key = request.keyIn(namespace);
    int slot = key.hashCode() & (slots.length - 1);
    Recent last = slots[slot];
    if (last != null && last.request == request && elapsedMs < last.untilMs && last.isCurrent()) {
      return last.resolved;
    }
    ResolvedRequest resolved = fromKnown(namespace, request, CachedConfig.ANY, elapsedMs);
    if (resolved != null) {
      CachedConfig config = resolved.first().bucket().config();
      if (config != null && resolved.dependsOnlyOn(config)) {
        long untilMs = Math.min(config.age().untilMs(), elapsedMs + recentMs);
        slots[slot] = new Recent(request, resolved, resolved.first().bucket(), config, untilMs);
      }
    }
    return resolved;
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
    CachedConfig known = bucket.config();
    return known != null
            && known.age().generation() == records.generation()
            && known.age().isAfter(after)
            && nowMs < known.age().untilMs()
        ? known
        : null;
  }

  /**
   * The request with its legs, from the store. Of many callers that need the same one asks.
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
          String id = namespaceId;
          ResolvedRequest prepared =
              id == null ? null : fromKnown(id, request, after, options.time().elapsedMs());
          if (prepared != null) {
            return CompletableFuture.completedFuture(new Resolution.Ready(prepared));
          }
          // It was for something else, or too early. After too many waits the request is looked up
          // alone.
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
      events.lookUpsFull(request.keyIn(namespaceOrName()));
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
