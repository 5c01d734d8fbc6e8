package dev.millrace.client.support;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.core.internal.protocol.ApplyConfigProtocol;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.internal.resolution.ResolvedConfig;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is stored about the entities and limits of one namespace, written as the administration
 * writes it: every change raises the version of its record. Buckets hear of it when told to with
 * {@link #refresh}.
 */
public final class Directory {
  private static final long TIMEOUT_MS = 10_000;
  private static final AtomicLong OPS = new AtomicLong();

  private final InMemoryStore store;
  private final String namespace;

  public Directory(InMemoryStore store, String namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  /** Limits of the whole namespace; none takes them away. */
  public void system(Limit... limits) {
    limits(RecordKey.Config.ofSystem(namespace), limits);
  }

  /** Limits of a resource; none takes them away. */
  public void resource(String resource, Limit... limits) {
    limits(RecordKey.Config.ofResource(namespace, resource), limits);
  }

  /** Limits of an entity for whatever resource; none takes them away. */
  public void entity(String entityId, Limit... limits) {
    limits(RecordKey.Config.ofEntity(namespace, entityId), limits);
  }

  /** Limits of an entity for a resource; none takes them away. */
  public void entityResource(String entityId, String resource, Limit... limits) {
    limits(RecordKey.Config.ofEntityResource(namespace, entityId, resource), limits);
  }

  public void limits(RecordKey.Config key, Limit... limits) {
    config(key, old -> old.withLimits(limits.length == 0 ? null : LimitSet.of(limits)));
  }

  public void cascadeOfResource(String resource, @Nullable Boolean cascade) {
    config(RecordKey.Config.ofResource(namespace, resource), config -> config.withCascade(cascade));
  }

  public void cascadeOfEntityResource(String entityId, String resource, @Nullable Boolean cascade) {
    config(
        RecordKey.Config.ofEntityResource(namespace, entityId, resource),
        config -> config.withCascade(cascade));
  }

  public void switchResource(String resource, boolean on) {
    config(RecordKey.Config.ofResource(namespace, resource), config -> config.withDisabled(!on));
  }

  public void onUnavailable(@Nullable OnUnavailable policy) {
    config(RecordKey.Config.ofSystem(namespace), config -> config.withOnUnavailable(policy));
  }

  private void config(RecordKey.Config key, UnaryOperator<ConfigRecord> change) {
    ConfigRecord old = (ConfigRecord) store.record(key);
    long floor = key.level() == ConfigLevel.ENTITY_RESOURCE ? versionFloor(key.entityId()) : 0;
    store.put(change.apply(old == null ? ConfigRecord.empty(key, floor) : old));
  }

  private long versionFloor(String entityId) {
    return store.record(RecordKey.Config.ofEntity(namespace, entityId))
            instanceof ConfigRecord ofEntity
        ? ofEntity.versionFloor()
        : 0;
  }

  /** Entities, each the child of the next; all of them draw on their parents. */
  public void chain(String... entityIds) {
    for (int i = entityIds.length - 1; i >= 0; i--) {
      add(entityIds[i], i + 1 < entityIds.length ? entityIds[i + 1] : null);
    }
  }

  /** An entity that draws on its parent. */
  public void add(String entityId, @Nullable String parentId) {
    store.put(
        new EntityRecord(
            key(entityId),
            versionFloor(entityId) + 1,
            /* name= */ "",
            parentId,
            ancestorsFrom(parentId),
            /* cascade= */ true,
            /* disabled= */ false,
            Map.of(),
            /* createdAtMs= */ 0,
            /* children= */ 0));
  }

  public void move(String entityId, @Nullable String parentId) {
    change(entityId, parentId, ancestorsFrom(parentId), get(entityId).cascade(), isOff(entityId));
  }

  /** Makes an entity remember other ancestors than it has. */
  public void hint(String entityId, String... ancestors) {
    EntityRecord old = get(entityId);
    change(entityId, old.parentId(), List.of(ancestors), old.cascade(), old.disabled());
  }

  public void cascade(String entityId, boolean cascade) {
    EntityRecord old = get(entityId);
    change(entityId, old.parentId(), old.ancestorsHint(), cascade, old.disabled());
  }

  public void switchEntity(String entityId, boolean on) {
    EntityRecord old = get(entityId);
    change(entityId, old.parentId(), old.ancestorsHint(), old.cascade(), !on);
  }

  /**
   * Removes an entity's record and its limits for whatever resource, as the administration does.
   */
  public void delete(String entityId) {
    RecordKey.Config config = RecordKey.Config.ofEntity(namespace, entityId);
    ConfigRecord old = (ConfigRecord) store.record(config);
    long removed = get(entityId).version();
    store.put((old == null ? ConfigRecord.empty(config) : old).asTombstone(removed));
    store.remove(key(entityId));
  }

  /** Removes the limits of an entity for a resource, as when the entity is removed. */
  public void deleteLimits(String entityId, String resource) {
    RecordKey.Config of = RecordKey.Config.ofEntity(namespace, entityId);
    RecordKey.Config gone = RecordKey.Config.ofEntityResource(namespace, entityId, resource);
    ConfigRecord stone = (ConfigRecord) store.record(of);
    long removed = Objects.requireNonNull(store.record(gone), gone::toString).version();
    store.put((stone == null ? ConfigRecord.empty(of) : stone).asTombstone(removed));
    store.remove(gone);
  }

  /** Loses an entity's record, as nothing but an accident does. */
  public void lose(String entityId) {
    store.remove(key(entityId));
  }

  private void change(
      String entityId,
      @Nullable String parentId,
      List<String> hint,
      boolean cascade,
      boolean disabled) {
    EntityRecord old = get(entityId);
    store.put(
        new EntityRecord(
            old.key(),
            old.version() + 1,
            old.name(),
            parentId,
            hint,
            cascade,
            disabled,
            old.metadata(),
            old.createdAtMs(),
            old.children()));
  }

  private boolean isOff(String entityId) {
    return get(entityId).disabled();
  }

  private EntityRecord get(String entityId) {
    return (EntityRecord) Objects.requireNonNull(store.record(key(entityId)), entityId);
  }

  private RecordKey.Entity key(String entityId) {
    return new RecordKey.Entity(namespace, entityId);
  }

  private List<String> ancestorsFrom(@Nullable String parentId) {
    List<String> ancestors = new ArrayList<>();
    String next = parentId;
    while (next != null && ancestors.size() < EntityRecord.MAX_ANCESTORS) {
      ancestors.add(next);
      next = store.record(key(next)) instanceof EntityRecord entity ? entity.parentId() : null;
    }
    return ancestors;
  }

  public BucketKey bucket(String entityId, String resource) {
    return BucketKey.first(namespace, entityId, resource);
  }

  /** Brings a bucket, if there is one, to what holds by now, as the administration does. */
  public ApplyConfigProtocol.Kind refresh(String entityId, String resource, long nowMs) {
    BucketKey key = bucket(entityId, resource);
    BucketState state = store.snapshot(key);
    if (state == null) {
      return ApplyConfigProtocol.Kind.ABSENT;
    }
    ResolvedConfig resolved =
        ConfigRecords.of(namespace, entityId, resource, store::record).resolve();
    EffectiveLimits stored = resolved.terms(null);
    boolean ofCall = state.stamp().level() == ConfigLevel.CALL;
    EffectiveLimits terms =
        stored == null || ofCall
            ? ApplyConfigProtocol.keepingLimits(state, resolved.stamp())
            : stored;
    Step<ApplyConfigProtocol.Result> step =
        new ApplyConfigProtocol(
                key, terms, PlanSettings.DEFAULT, () -> "refresh-" + OPS.incrementAndGet())
            .start(state, nowMs);
    while (step
        instanceof Step.Ask<ApplyConfigProtocol.Result> ask) { // ends: it counts its attempts
      List<StoreReply> replies =
          ask.calls().stream().map(call -> store.execute(call, TIMEOUT_MS)).toList();
      step = ask.next().resume(replies, nowMs);
    }
    return ((Step.Done<ApplyConfigProtocol.Result>) step).result().kind();
  }
}
