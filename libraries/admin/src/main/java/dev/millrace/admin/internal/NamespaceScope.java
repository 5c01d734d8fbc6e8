package dev.millrace.admin.internal;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private final Memory memory;

  private NamespaceScope(AdminTools tools, String name, String actor, Memory memory) {
    this.tools = tools;
    this.name = name;
    this.actor = actor;
    this.memory = memory;
  }

  /** A namespace by its name; sends nothing yet. */
  public static NamespaceScope of(AdminTools tools, String name, String actor) {
    return new NamespaceScope(tools, NameRules.requireNamespace(name), actor, new Memory());
  }

  /** The scope in which the namespaces themselves are administered. */
  public static NamespaceScope ofNone(AdminTools tools, String actor) {
    return new NamespaceScope(tools, NONE, actor, new Memory());
  }

  /** The same namespace, with changes attributed to another actor. */
  public NamespaceScope as(String other) {
    return new NamespaceScope(tools, name, other, memory);
  }

  /** The shared resources. */
  public AdminTools tools() {
    return tools;
  }

  /** The store calls. */
  public StoreCalls calls() {
    return tools.calls();
  }

  /** The author of the changes. */
  public String actor() {
    return actor;
  }

  /** The prefix of every key. */
  public String id() {
    if (name.equals(NONE)) {
      return NONE;
    }
    long nowMs = tools.nowMs();
    String known = memory.id(nowMs);
    if (known != null) {
      return known;
    }
    String found = find();
    memory.remember(found, nowMs);
    return found;
  }

  private String find() {
    RecordKey key = new RecordKey.NamespaceByName(name);
    NamespaceRecord record = (NamespaceRecord) calls().lookup(key);
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
    return new RecordChange.Put(
        event(tools.ids().next(), subject, action, before, after), RecordChange.Put.ABSENT);
  }

  private AuditEvent event(
      String eventId,
      String subject,
      String action,
      Map<String, String> before,
      Map<String, String> after) {
    long nowMs = tools.nowMs();
    long expiresAtSeconds =
        TimeUnit.MILLISECONDS.toSeconds(nowMs) + TimeUnit.DAYS.toSeconds(retentionDays());
    return new AuditEvent(
        new RecordKey.Audit(id(), subject, eventId),
        nowMs,
        actor,
        action,
        before,
        after,
        expiresAtSeconds);
  }

  /** How long audit events are kept. */
  int retentionDays() {
    if (name.equals(NONE)) {
      return DEFAULT_RETENTION_DAYS;
    }
    long nowMs = tools.nowMs();
    Integer known = memory.retentionDays(nowMs);
    if (known != null) {
      return known;
    }
    ConfigRecord system = (ConfigRecord) calls().lookup(RecordKey.Config.ofSystem(id()));
    Integer stored = system == null ? null : system.auditRetentionDays();
    int days = stored == null ? DEFAULT_RETENTION_DAYS : stored;
    memory.rememberRetention(days, nowMs);
    return days;
  }

  /** Discards the cached retention, because the system config was changed. */
  public void forgetSettings() {
    memory.forgetRetention();
  }

  /** The cached id and retention, with the times of their reads. */
  private static final class Memory {
    private @Nullable String id;
    private long idAtMs;
    private @Nullable Integer retentionDays;
    private long retentionAtMs;

    synchronized @Nullable String id(long nowMs) {
      return isRecent(idAtMs, nowMs) ? id : null;
    }

    synchronized void remember(String found, long nowMs) {
      if (!found.equals(id)) {
        retentionDays = null;
      }
      id = found;
      idAtMs = nowMs;
    }

    synchronized @Nullable Integer retentionDays(long nowMs) {
      return isRecent(retentionAtMs, nowMs) ? retentionDays : null;
    }

    synchronized void rememberRetention(int days, long nowMs) {
      retentionDays = days;
      retentionAtMs = nowMs;
    }

    synchronized void forgetRetention() {
      retentionDays = null;
    }

    private static boolean isRecent(long atMs, long nowMs) {
      return Math.abs(nowMs - atMs) < KNOWN_MS;
    }
  }
}
