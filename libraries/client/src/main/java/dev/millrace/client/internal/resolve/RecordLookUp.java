package dev.millrace.client.internal.resolve;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.SingleFlight;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.internal.resolution.ResolvedConfig;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One resolution under way: looks up what is missing, follows the parents, and ends with the legs
 * of the request.
 *
 * <p>The first look takes everything about the entity itself and, beside it, the bucket when the
 * process has not seen it. The entity's hint then names the ancestors, so that the second look
 * takes all of them, however many, and their buckets. Where the hint is out of date the parents
 * themselves are followed.
 */
public final class RecordLookUp {
  /**
   * Most looks: the namespace, the entity, its ancestors one by one if the hint is wrong, and two
   * for all of it once more when that took so long that no bucket may be made from it.
   */
  public static final int MAX_LOOKS = EntityRecord.MAX_ANCESTORS + 4;

  private final LimiterOptions options;
  private final Mirror mirror;
  private final LimiterEvents events;
  private final RequestResolver resolver;
  private final AcquireRequest request;
  private final long after;
  private final int generation;
  private final LookUpAnswers findings;
  private final TableLookUp table;

  /**
   * Whether what is read must not be old: a bucket that the process has not seen may have to be
   * made from it.
   */
  private final boolean consistent;

  private final UnseenBuckets unseen;
  private final CompletableFuture<Optional<StoreFailure>> ended = new CompletableFuture<>();
  private @Nullable SingleFlight flight;
  private RecordCache.@Nullable Look underWay;
  private List<RecordKey> asked = List.of();
  private int looks;
  private long firstLook = Long.MAX_VALUE;
  private long lastLook;
  private boolean renewed;

  /**
   * A resolution that has not begun.
   *
   * @param after what is in the cache counts only if it was surely read after so many looks
   */
  public RecordLookUp(
      LimiterOptions options,
      Mirror mirror,
      LimiterEvents events,
      RequestResolver resolver,
      AcquireRequest request,
      long after) {
    this.options = options;
    this.mirror = mirror;
    this.events = events;
    this.resolver = resolver;
    this.request = request;
    this.after = after;
    this.generation = resolver.records().generation();
    this.findings = new LookUpAnswers(resolver.records(), options.time(), after);
    this.table = new TableLookUp(options, resolver, findings);
    this.unseen = new UnseenBuckets(mirror);
    String namespace = resolver.namespaceId();
    this.consistent =
        after != CachedConfig.ANY
            || namespace == null
            || mirror.bucket(request.keyIn(namespace)).snapshot() == null;
  }

  /** Takes off; what is under way already, if there is anything. */
  public @Nullable CompletableFuture<Optional<StoreFailure>> begin(SingleFlight own) {
    CompletableFuture<Optional<StoreFailure>> others = own.begin(ended);
    flight = others == null ? own : null;
    return others;
  }

  /** Must be told at the end, so that others can begin. */
  public void end(Optional<StoreFailure> failure) {
    if (flight != null) {
      flight.end(ended);
    }
    if (underWay != null) { // it broke: nobody will learn from the answer
      resolver.records().end(underWay, asked);
    }
    ended.complete(failure);
  }

  /**
   * The request with its legs from records that are known, or null when the store must be asked.
   */
  public @Nullable ResolvedRequest fromCache() {
    Set<RecordKey> missing = new LinkedHashSet<>();
    String namespace = table.namespace(missing);
    ResolvedRequest prepared = namespace == null ? null : walk(namespace, missing);
    return missing.isEmpty() ? prepared : null;
  }

  public Step<Resolution> start() {
    return next();
  }

  private Step<Resolution> next() {
    Set<RecordKey> missing = new LinkedHashSet<>();
    String namespace = table.namespace(missing);
    ResolvedRequest prepared = namespace == null ? null : walk(namespace, missing);
    if (prepared != null && missing.isEmpty()) {
      return new Step.Done<>(new Resolution.Ready(prepared));
    }
    if (looks++ == MAX_LOOKS) {
      return unavailable(new StoreFailure(StoreFailure.Kind.CONTENDED, null));
    }
    return ask(List.copyOf(missing));
  }

  private Step<Resolution> ask(List<RecordKey> missing) {
    List<StoreCall> calls = new ArrayList<>(2);
    for (int from = 0; from < missing.size(); from += StoreCall.Lookup.MAX_KEYS) {
      int to = Math.min(missing.size(), from + StoreCall.Lookup.MAX_KEYS);
      calls.add(new StoreCall.Lookup(missing.subList(from, to), consistent));
    }
    int lookups = calls.size();
    List<BucketKey> buckets = unseen.take();
    if (!buckets.isEmpty()) {
      calls.add(Mirror.read(buckets));
    }
    long nowMs = options.time().elapsedMs();
    RecordCache.Look look = resolver.records().begin(missing, consistent, generation, nowMs);
    firstLook = Math.min(firstLook, look.number());
    lastLook = look.number();
    underWay = look;
    asked = missing;
    return new Step.Ask<>(
        calls,
        (replies, answeredMs) -> {
          resolver.records().end(look, missing);
          underWay = null;
          for (int i = 0; i < lookups; i++) {
            StoreCall.Lookup call = (StoreCall.Lookup) calls.get(i);
            StoreFailure failure = findings.learn(look, call, replies.get(i));
            if (failure != null) {
              return unavailable(failure);
            }
            events.lookedUp(call.keys().size());
          }
          if (replies.size() > lookups) {
            unseen.learn(buckets, replies.get(lookups), answeredMs);
          }
          return next();
        });
  }

  private @Nullable ResolvedRequest walk(String namespace, Set<RecordKey> missing) {
    CachedConfig.OwnLooks own =
        new CachedConfig.OwnLooks(firstLook, renewed ? lastLook : Long.MAX_VALUE);
    LegCollector legs = new LegCollector(request, options.time().elapsedMs(), own);
    Map<BucketKey, CachedConfig> found = new HashMap<>();
    for (int i = 0; i < request.draws().size(); i++) {
      ResourceAmounts draw = request.draws().get(i);
      String entityId = request.entityId();
      for (int depth = 0; depth <= EntityRecord.MAX_ANCESTORS; depth++) {
        BucketKey key = BucketKey.first(namespace, entityId, draw.resource());
        boolean first = i == 0 && depth == 0;
        CachedConfig known = known(key, first, missing);
        if (known == null) {
          followOld(key, missing);
          break;
        }
        if (missing.isEmpty()) { // else this is not the last time that it is walked
          MirroredBucket bucket = mirror.bucket(key);
          if (first) {
            legs.addFirst(bucket, known);
          } else {
            legs.add(draw, depth == 0, bucket, known);
          }
        }
        found.put(key, known);
        String parentId = known.resolved().drawsOn();
        if (parentId == null) {
          break;
        }
        if (depth == 0) {
          takeHint(namespace, draw, known.resolved(), parentId, missing);
        }
        entityId = parentId;
      }
    }
    if (!missing.isEmpty()) {
      return null;
    }
    ResolvedRequest prepared = legs.prepared(options);
    if (consistent && consumes() && !prepared.isOff()) {
      prepared.legs().forEach(leg -> renewForCreation(leg, missing));
      renewed |= !missing.isEmpty();
    }
    if (missing.isEmpty()) { // only now is everything known, also that the table may be used
      found.forEach((key, known) -> mirror.config(key, known));
    }
    return prepared;
  }

  /**
   * Following the parents, or a slow answer, may have taken so long that no bucket may be made from
   * what was read. Where one may have to be, all of it is read once more, in one look. After that
   * it is as new as can be: with a store that is always slow it would never be new enough.
   */
  private void renewForCreation(Leg leg, Set<RecordKey> missing) {
    boolean mayBeNone = after != CachedConfig.ANY || leg.bucket().snapshot() == null;
    List<RecordKey> keys = keys(leg.key());
    if (mayBeNone && !leg.mayCreate() && keys.stream().noneMatch(findings::isUnanswered)) {
      missing.addAll(
          keys); // asked once more in vain, a store that is slow would be asked on and on
    }
  }

  private boolean consumes() {
    return !request.tokens().isEmpty();
  }

  /** Asks for the ancestors that a bucket had when it was last looked up: mostly it still has. */
  private void followOld(BucketKey from, Set<RecordKey> missing) {
    CachedConfig old = mirror.bucket(from).config();
    for (int i = 0; i < EntityRecord.MAX_ANCESTORS && old != null && old.parent() != null; i++) {
      BucketKey parent = old.parent();
      findAll(parent, missing);
      old = mirror.bucket(parent).config();
    }
  }

  private void findAll(BucketKey about, Set<RecordKey> missing) {
    for (RecordKey key : keys(about)) {
      find(key, about, missing);
    }
  }

  private static List<RecordKey> keys(BucketKey about) {
    return ConfigRecords.keys(about.namespace(), about.entityId(), about.resource());
  }

  /** Asks for all ancestors at once, where the hint still seems right. */
  private void takeHint(
      String namespace,
      ResourceAmounts draw,
      ResolvedConfig resolved,
      String parentId,
      Set<RecordKey> missing) {
    List<String> hint = resolved.ancestorsHint();
    if (!hint.isEmpty() && hint.get(0).equals(parentId)) {
      int known = Math.min(hint.size(), EntityRecord.MAX_ANCESTORS);
      for (String ancestor : hint.subList(0, known)) {
        findAll(BucketKey.first(namespace, ancestor, draw.resource()), missing);
      }
    }
  }

  /** What holds for a bucket, or null when records are missing. */
  private @Nullable CachedConfig known(BucketKey key, boolean first, Set<RecordKey> missing) {
    List<RecordKey> keys = keys(key);
    KnownRecords records = new KnownRecords(generation);
    for (RecordKey recordKey : keys) {
      records.add(recordKey, find(recordKey, key, missing), findings.isStale(recordKey));
    }
    if (!records.isComplete()) {
      if (first && consistent) { // a bucket may be made from all of them, or from none
        askAnew(keys, missing);
      }
      return null;
    }
    long nowMs = options.time().elapsedMs();
    CachedConfig known = records.known(key, options.configAge().toMillis(), table.untilMs(), nowMs);
    boolean tooOld =
        known.age().untilMs() <= nowMs
            || (first
                && !LegCollector.suffices(request.draws().get(0), known)
                && nowMs - known.age().readAtMs() >= RequestResolver.LOOK_AGAIN_MS);
    if (tooOld && askAnew(keys, missing)) {
      lookAt(key);
      return null;
    }
    return known;
  }

  /** Asks for records although they are known; false when that was done for this request. */
  private boolean askAnew(List<RecordKey> keys, Set<RecordKey> missing) {
    boolean any = false;
    for (RecordKey key : keys) {
      if (!findings.isAsked(key)) {
        any |= missing.add(key);
      }
    }
    return any;
  }

  /** A record, or null; then it is asked for, and the bucket that it is about is read too. */
  private RecordCache.@Nullable Held find(RecordKey key, BucketKey about, Set<RecordKey> missing) {
    RecordCache.Held held = findings.find(key, missing);
    if (held == null) {
      lookAt(about);
    }
    return held;
  }

  private void lookAt(BucketKey key) {
    if (consumes()) { // who only looks does so after this
      unseen.add(key);
    }
  }

  private Step<Resolution> unavailable(StoreFailure failure) {
    return new Step.Done<>(resolver.unavailable(request, failure));
  }
}
