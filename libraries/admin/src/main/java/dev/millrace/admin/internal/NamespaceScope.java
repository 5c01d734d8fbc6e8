package dev.millrace.admin.internal;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.NameRules;
import dev.millrace.admin.AdminOptions;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One namespace, and the actor of its changes. Every key is built with the id that is found here,
 * so nothing outside the namespace can be named.
 */
public final class NamespaceScope {
  /** The namespace that exists without being registered; its id is its name. */
  public static final String DEFAULT = "default";

  /** The subject under which the namespaces themselves are administered. */
  public static final String NONE = "_";

  /** How long the id of a namespace is cached. */
  static final long KNOWN_MS = 60_000;

  /** How long audit events are kept by default. */
  public static final int DEFAULT_RETENTION_DAYS = 90;

  private final AdminTools tools;
  private final String name;
  private final String actor;
  private final ScopeCache cache;

  private NamespaceScope(AdminTools tools, String name, String actor, ScopeCache cache) {
    this.tools = tools;
    this.name = name;
    this.actor = actor;
    this.cache = cache;
  }

  /** A namespace by its name; sends nothing yet. */
  public static NamespaceScope of(AdminTools tools, String name, String actor) {
    return new NamespaceScope(tools, NameRules.requireNamespace(name), actor, new ScopeCache());
  }

  /** The scope in which the namespaces themselves are administered. */
  public static NamespaceScope ofNone(AdminTools tools, String actor) {
    return new NamespaceScope(tools, NONE, actor, new ScopeCache());
  }

  /** The same namespace, with changes attributed to another actor. */
  public NamespaceScope as(String other) {
    return new NamespaceScope(tools, name, other, cache);
  }

  /** The shared resources. */
  public AdminTools tools() {
    return tools;
  }

  /** The store calls. */
  public StoreCalls calls() {
    return tools.calls();
  }

  /** The options. */
  public AdminOptions options() {
    return tools.options();
  }

  /** The current time, in epoch milliseconds, by the clock of the store. */
  public long nowMs() {
    return tools.nowMs();
  }

  /** See {@link StoreCalls#lookup(Collection)}. */
  public Map<RecordKey, StoredRecord> lookup(Collection<? extends RecordKey> keys) {
    return calls().lookup(keys);
  }

  /** The current state of one record, null when there is none. */
  public @Nullable StoredRecord lookup(RecordKey key) {
    return calls().lookup(List.of(key)).get(key);
  }

  /** See {@link StoreCalls#list}. */
  public StoreReply.Page list(Listing listing, int pageSize, @Nullable String cursor) {
    return calls().list(listing, pageSize, cursor);
  }

  /** Passes on all entries of a listing; returns their number. */
  long forEach(Listing listing, int pageSize, Consumer<StoreReply.Page> each) {
    long examined = 0;
    String cursor = null;
    do { // ends: every page moves the cursor
      StoreReply.Page page = list(listing, pageSize, cursor);
      examined += page.entries().size();
      each.accept(page);
      cursor = page.cursor();
    } while (cursor != null);
    return examined;
  }

  /** Changes records, all or none. Returns null when it is done, else the refusal. */
  public StoreReply.@Nullable Cancelled commit(List<? extends RecordChange> changes) {
    return calls().commit(List.of(), changes);
  }

  /** Changes buckets and records, all or none. Returns null when it is done, else the refusal. */
  StoreReply.@Nullable Cancelled commit(List<WritePlan> plans, List<RecordChange> changes) {
    return calls().commit(plans, changes);
  }

  /** See {@link OptimisticRetry#until}. */
  <T> T retry(String what, Supplier<@Nullable T> attempt) {
    return tools.retry.until(what, attempt);
  }

  /** The prefix of every key. */
  public String id() {
    if (name.equals(NONE)) {
      return NONE;
    }
    long nowMs = nowMs();
    TimedValue<String> known = cache.id;
    if (known != null && known.isRecent(nowMs)) {
      return known.value();
    }
    String found = find();
    if (known == null || !found.equals(known.value())) {
      cache.retentionDays = null;
    }
    cache.id = new TimedValue<>(found, nowMs);
    return found;
  }

  private String find() {
    RecordKey key = new RecordKey.NamespaceByName(name);
    NamespaceRecord record = (NamespaceRecord) lookup(key);
    if (record == null) {
      if (name.equals(DEFAULT)) {
        return DEFAULT;
      }
      throw unusable("the namespace is not registered", "register it", null);
    }
    if (record.state() != NamespaceRecord.State.ACTIVE) {
      boolean deleted = record.state() == NamespaceRecord.State.DELETED;
      throw unusable(
          "the namespace is not in use",
          deleted ? "recover it, or use another one" : "use another one",
          record.state());
    }
    return record.id();
  }

  private LimiterConfigurationException unusable(
      String summary, String todo, NamespaceRecord.@Nullable State state) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("namespace", name);
    if (state != null) {
      attributes.put("state", state);
    }
    attributes.put("todo", todo);
    return new LimiterConfigurationException(summary, attributes, null);
  }

  /** The event of a change, to be written with it. */
  public RecordChange.Put audit(
      String subject, String action, Map<String, String> before, Map<String, String> after) {
    RecordKey.Audit key = new RecordKey.Audit(id(), subject, tools.ids.next());
    long nowMs = nowMs();
    long expiresAtSeconds =
        TimeUnit.MILLISECONDS.toSeconds(nowMs) + TimeUnit.DAYS.toSeconds(retentionDays());
    return new RecordChange.Put(
        new AuditEvent(key, nowMs, actor, action, before, after, expiresAtSeconds),
        RecordChange.Put.ABSENT);
  }

  /** How long audit events are kept. */
  int retentionDays() {
    if (name.equals(NONE)) {
      return DEFAULT_RETENTION_DAYS;
    }
    long nowMs = nowMs();
    TimedValue<Integer> known = cache.retentionDays;
    if (known != null && known.isRecent(nowMs)) {
      return known.value();
    }
    ConfigRecord system = (ConfigRecord) lookup(RecordKey.Config.ofSystem(id()));
    Integer stored = system == null ? null : system.auditRetentionDays();
    int days = stored == null ? DEFAULT_RETENTION_DAYS : stored;
    cache.retentionDays = new TimedValue<>(days, nowMs);
    return days;
  }

  /** Discards the cached retention, because the system config was changed. */
  public void forgetSettings() {
    cache.retentionDays = null;
  }

  /** The cached id and retention. */
  private static final class ScopeCache {
    private volatile @Nullable TimedValue<String> id;
    private volatile @Nullable TimedValue<Integer> retentionDays;
  }

  /** A value with the time of its read. */
  private record TimedValue<T>(T value, long atMs) {
    boolean isRecent(long nowMs) {
      return Math.abs(nowMs - atMs) < KNOWN_MS;
    }
  }
}
