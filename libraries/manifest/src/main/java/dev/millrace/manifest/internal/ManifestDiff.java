package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.SystemSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the desired and the current state. Pure: it reads and writes nothing, so
 * that a plan and an apply cannot differ.
 *
 * <p>A mark is a digest of what the manifest said last; null when it has said nothing. Where it
 * said the same and the current state differs, it was changed by hand.
 *
 * @param manifest the name with which entities that it creates are marked, null to mark none
 */
public record ManifestDiff(@Nullable String manifest) {
  /** The metadata key of an entity that a manifest created. */
  public static final String MADE_BY = EntitySpec.RESERVED + "manifest";

  public List<ManifestChange> system(
      SystemSpec wanted,
      @Nullable StoredLimits live,
      SystemSettings settings,
      @Nullable String mark) {
    boolean drift = ManagedMarks.value(wanted).equals(mark);
    List<ManifestChange> changes = new ArrayList<>();
    LevelSpec level = wanted.limits() == null ? LevelSpec.NOTHING : LevelSpec.of(wanted.limits());
    limits(changes, LimitTarget.system(), level, live, mark, drift);
    if (wanted.onUnavailable() != null && wanted.onUnavailable() != settings.onUnavailable()) {
      changes.add(
          new ManifestChange(
              "system on unavailable",
              text(settings.onUnavailable()),
              text(wanted.onUnavailable()),
              drift,
              new ConfigAction.SetOnUnavailable(wanted.onUnavailable())));
    }
    Integer days = wanted.auditRetentionDays();
    if (days != null && !days.equals(settings.auditRetentionDays())) {
      changes.add(
          new ManifestChange(
              "system audit retention days",
              text(settings.auditRetentionDays()),
              text(days),
              drift,
              new ConfigAction.SetAuditDays(days)));
    }
    return changes;
  }

  public List<ManifestChange> level(
      LimitTarget target, LevelSpec wanted, @Nullable StoredLimits live, @Nullable String mark) {
    boolean drift = ManagedMarks.value(wanted).equals(mark);
    List<ManifestChange> changes = new ArrayList<>();
    limits(changes, target, wanted, live, mark, drift);
    cascade(changes, target, wanted, live, mark, drift);
    Boolean disabled = wanted.disabled();
    boolean isOff = live != null && live.disabled();
    if (disabled != null && disabled != isOff) {
      changes.add(
          new ManifestChange(
              "switch of resource " + target.resource(),
              isOff ? "disabled" : "enabled",
              disabled ? "disabled" : "enabled",
              drift,
              new ConfigAction.SwitchResource(target.resource(), disabled)));
    }
    return changes;
  }

  private static void limits(
      List<ManifestChange> changes,
      LimitTarget target,
      LevelSpec wanted,
      @Nullable StoredLimits live,
      @Nullable String mark,
      boolean drift) {
    LimitSet there = live == null ? null : live.limits();
    LimitSet shared = live == null ? null : live.shared();
    String subject = subject(target);
    if (wanted.global() != null) {
      List<Limit> own = wanted.limits() == null ? List.of() : wanted.limits().asList();
      if (!wanted.global().equals(shared) || !own.equals(ownOf(there, shared))) {
        ConfigAction share = new ConfigAction.Share(target, wanted.global(), own);
        String after = text(wanted.global()) + " of all regions" + and(own);
        changes.add(new ManifestChange(subject, text(there, shared), after, drift, share));
      }
    } else if (wanted.limits() != null) {
      if (!wanted.limits().equals(there) || shared != null) {
        ConfigAction set = new ConfigAction.SetLimits(target, wanted.limits());
        changes.add(
            new ManifestChange(subject, text(there, shared), text(wanted.limits()), drift, set));
      }
    } else if (mark != null && ManagedMarks.hadLimits(mark) && there != null) {
      ConfigAction remove =
          shared == null
              ? new ConfigAction.DeleteLimits(target)
              : new ConfigAction.Impossible(
                  "limits that regions share cannot be taken back: set others instead");
      changes.add(new ManifestChange(subject, text(there, shared), "", drift, remove));
    }
  }

  private static void cascade(
      List<ManifestChange> changes,
      LimitTarget target,
      LevelSpec wanted,
      @Nullable StoredLimits live,
      @Nullable String mark,
      boolean drift) {
    Boolean there = live == null ? null : live.cascade();
    boolean removed = wanted.cascade() == null && mark != null && ManagedMarks.hadCascade(mark);
    if ((wanted.cascade() != null || removed) && !Objects.equals(wanted.cascade(), there)) {
      changes.add(
          new ManifestChange(
              "cascade" + subject(target).substring("limits".length()),
              text(there),
              text(wanted.cascade()),
              drift,
              new ConfigAction.SetCascade(target, wanted.cascade())));
    }
  }

  public List<ManifestChange> entity(
      EntitySpec wanted, @Nullable Entity live, @Nullable String mark) {
    List<ManifestChange> changes = new ArrayList<>();
    if (!wanted.recorded()) {
      return changes;
    }
    boolean drift = ManagedMarks.value(wanted).equals(mark);
    String subject = "entity " + wanted.id();
    if (live == null) {
      create(changes, subject, wanted, drift);
      return changes;
    }
    EntityUpdate update = update(wanted, live);
    if (!update.equals(EntityUpdate.none())) {
      changes.add(
          new ManifestChange(
              subject,
              described(live.name(), live.cascade(), live.metadata()),
              described(
                  wanted.name() == null ? live.name() : wanted.name(),
                  wanted.cascade(),
                  wanted.metadata() == null ? live.metadata() : wanted.metadata()),
              drift,
              new ConfigAction.Update(wanted.id(), update)));
    }
    if (!Objects.equals(wanted.parent(), live.parentId())) {
      changes.add(
          new ManifestChange(
              subject,
              place(live.parentId()),
              place(wanted.parent()),
              drift,
              new ConfigAction.Move(wanted.id(), wanted.parent())));
    }
    Boolean disabled = wanted.disabled();
    if (disabled != null && disabled != live.disabled()) {
      changes.add(switched(subject, wanted.id(), disabled, drift));
    }
    return changes;
  }

  private void create(
      List<ManifestChange> changes, String subject, EntitySpec wanted, boolean drift) {
    Map<String, String> metadata =
        wanted.metadata() == null ? new TreeMap<>() : new TreeMap<>(wanted.metadata());
    if (manifest != null) {
      metadata.put(MADE_BY, manifest);
    }
    String name = wanted.name() == null ? "" : wanted.name();
    NewEntity entity =
        new NewEntity(wanted.id(), name, wanted.parent(), wanted.cascade(), metadata);
    String after = place(wanted.parent()) + (wanted.cascade() ? ", cascades" : "");
    changes.add(new ManifestChange(subject, "", after, drift, new ConfigAction.Create(entity)));
    if (Boolean.TRUE.equals(wanted.disabled())) {
      changes.add(switched(subject, wanted.id(), true, drift));
    }
  }

  private static ManifestChange switched(
      String subject, String id, boolean disabled, boolean drift) {
    return new ManifestChange(
        subject,
        disabled ? "enabled" : "disabled",
        disabled ? "disabled" : "enabled",
        drift,
        new ConfigAction.SwitchEntity(id, disabled));
  }

  /**
   * The removal of an entity that is no longer desired: deleted when the manifest created it, left
   * otherwise.
   */
  public List<ManifestChange> removed(String entityId, @Nullable Entity live) {
    if (live == null || manifest == null || !manifest.equals(live.metadata().get(MADE_BY))) {
      return List.of();
    }
    return List.of(
        new ManifestChange(
            "entity " + entityId,
            "with its limits, usage and buckets",
            "",
            false,
            new ConfigAction.Delete(entityId)));
  }

  /** The parts of name, cascade and metadata that differ; reserved metadata stays. */
  private static EntityUpdate update(EntitySpec wanted, Entity live) {
    EntityUpdate update = EntityUpdate.none();
    if (wanted.name() != null && !wanted.name().equals(live.name())) {
      update = update.name(wanted.name());
    }
    if (wanted.cascade() != live.cascade()) {
      update = update.cascade(wanted.cascade());
    }
    if (wanted.metadata() != null) {
      Map<String, String> metadata = new TreeMap<>(live.metadata());
      metadata.keySet().removeIf(key -> !key.startsWith(EntitySpec.RESERVED));
      metadata.putAll(wanted.metadata());
      update = metadata.equals(live.metadata()) ? update : update.metadata(metadata);
    }
    return update;
  }

  private static String described(String name, boolean cascade, Map<String, String> metadata) {
    String others =
        new TreeMap<>(metadata)
            .entrySet().stream()
                .filter(each -> !each.getKey().startsWith(EntitySpec.RESERVED))
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(", "));
    return "'" + name + "'" + (cascade ? ", cascades" : "") + ", {" + others + "}";
  }

  private static String place(@Nullable String parent) {
    return parent == null ? "at the top" : "below " + parent;
  }

  static String subject(LimitTarget target) {
    return switch (target.level()) {
      case ENTITY_RESOURCE -> "limits of " + target.entityId() + " on " + target.resource();
      case ENTITY -> "limits of " + target.entityId();
      case RESOURCE -> "limits of resource " + target.resource();
      case SYSTEM, CALL -> "limits of the system";
    };
  }

  private static List<Limit> ownOf(@Nullable LimitSet limits, @Nullable LimitSet shared) {
    if (limits == null || shared == null) {
      return List.of();
    }
    return limits.asList().stream().filter(limit -> shared.indexOf(limit.name()) < 0).toList();
  }

  private static String and(List<Limit> own) {
    return own.isEmpty() ? "" : " and " + own;
  }

  private static String text(@Nullable LimitSet there, @Nullable LimitSet shared) {
    return shared == null
        ? text(there)
        : text(shared) + " of all regions" + and(ownOf(there, shared));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : String.valueOf(value);
  }
}
