package dev.millrace.manifest.internal;

import dev.millrace.NameRules;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.NewEntity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The parser of the parts of a manifest. */
final class SpecParser {
  static final Set<String> SYSTEM = Set.of("limits", "onUnavailable", "auditRetentionDays");
  static final Set<String> RESOURCE = Set.of("limits", "cascade", "disabled");
  static final Set<String> ENTITY =
      Set.of(
          "name", "parent", "cascade", "disabled", "metadata", "limitsOnly", "limits", "resources");
  static final Set<String> ENTITY_RESOURCE = Set.of("limits", "cascade");

  private static final int MAX_DAYS = 36_600;

  private final YamlValues values;
  private final LimitParser limits;
  private final boolean reservedAllowed;

  SpecParser(YamlValues values, boolean reservedAllowed) {
    this.values = values;
    this.limits = new LimitParser(values);
    this.reservedAllowed = reservedAllowed;
  }

  SystemSpec system(YamlNode node) {
    Map<String, YamlNode> fields = values.fields(node, "system", SYSTEM);
    LimitParser.Limits own =
        limits.limits(fields.get("limits"), "system.limits", /* canBeGlobal= */ false);
    return new SystemSpec(own.own(), away(fields.get("onUnavailable")), days(fields));
  }

  private @Nullable OnUnavailable away(@Nullable YamlNode node) {
    String path = "system.onUnavailable";
    String text = values.text(node, path);
    if (node == null || text == null) {
      return null;
    }
    if (text.equals("block") || text.equals("allow")) {
      return text.equals("block") ? OnUnavailable.BLOCK : OnUnavailable.ALLOW;
    }
    values.problem(node, path, "must be block or allow");
    return null;
  }

  private @Nullable Integer days(Map<String, YamlNode> fields) {
    YamlNode node = fields.get("auditRetentionDays");
    String path = "system.auditRetentionDays";
    BigDecimal days = values.number(node, path, 0);
    if (node == null || days == null) {
      return null;
    }
    if (days.signum() <= 0 || days.compareTo(BigDecimal.valueOf(MAX_DAYS)) > 0) {
      values.problem(node, path, "must be from 1 to " + MAX_DAYS);
      return null;
    }
    return days.intValueExact();
  }

  @Nullable LevelSpec resource(YamlNode.Scalar name, YamlNode node) {
    String path = "resources." + name.text();
    if (values.checked(name, path, () -> NameRules.requireResource(name.text())) == null) {
      return null;
    }
    Map<String, YamlNode> fields = values.fields(node, path, RESOURCE);
    LimitParser.Limits own = limits.limits(fields.get("limits"), path + ".limits", true);
    return new LevelSpec(
        own.own(),
        own.global(),
        values.flag(fields.get("cascade"), path + ".cascade"),
        values.flag(fields.get("disabled"), path + ".disabled"));
  }

  @Nullable EntitySpec entity(YamlNode.Scalar id, YamlNode node) {
    String path = "entities." + id.text();
    if (values.checked(id, path, () -> NameRules.requireEntityId(id.text())) == null) {
      return null;
    }
    Map<String, YamlNode> fields = isEmpty(node) ? Map.of() : values.fields(node, path, ENTITY);
    String name = values.text(fields.get("name"), path + ".name");
    String parent = parent(fields.get("parent"), path + ".parent");
    SortedMap<String, String> metadata = metadata(fields.get("metadata"), path + ".metadata");
    Boolean cascade = values.flag(fields.get("cascade"), path + ".cascade");
    Boolean disabled = values.flag(fields.get("disabled"), path + ".disabled");
    boolean recorded =
        !Boolean.TRUE.equals(values.flag(fields.get("limitsOnly"), path + ".limitsOnly"));
    if (!recorded
        && (name != null
            || parent != null
            || metadata != null
            || cascade != null
            || disabled != null)) {
      values.problem(node, path, "limitsOnly: allows only limits and resources");
    }
    LimitParser.Limits own =
        limits.limits(fields.get("limits"), path + ".limits", /* canBeGlobal= */ false);
    EntitySpec spec =
        new EntitySpec(
            id.text(),
            recorded,
            name,
            parent,
            Boolean.TRUE.equals(cascade),
            disabled,
            metadata,
            new LevelSpec(own.own(), null, null, null),
            resources(fields.get("resources"), path + ".resources"));
    // The administration's own checks of sizes.
    Object made =
        values.checked(
            node,
            path,
            () ->
                new NewEntity(
                    spec.id(),
                    name == null ? "" : name,
                    null,
                    spec.cascade(),
                    metadata == null ? Map.of() : metadata));
    return made == null ? null : spec;
  }

  /** An entity without any field. */
  private static boolean isEmpty(YamlNode node) {
    return node instanceof YamlNode.Scalar scalar && scalar.plain() && scalar.text().isEmpty();
  }

  private @Nullable String parent(@Nullable YamlNode node, String path) {
    String parent = values.text(node, path);
    return node == null || parent == null
        ? null
        : values.checked(node, path, () -> NameRules.requireEntityId(parent));
  }

  private @Nullable SortedMap<String, String> metadata(@Nullable YamlNode node, String path) {
    SortedMap<String, String> metadata = values.texts(node, path);
    if (node != null && metadata != null && !reservedAllowed) {
      for (String key : metadata.keySet()) {
        if (key.startsWith(EntitySpec.RESERVED)) {
          values.problem(
              node,
              path + "." + key,
              "keys that begin with " + EntitySpec.RESERVED + " are reserved");
        }
      }
    }
    return metadata;
  }

  private SortedMap<String, LevelSpec> resources(@Nullable YamlNode node, String path) {
    SortedMap<String, LevelSpec> resources = new TreeMap<>();
    if (node == null) {
      return resources;
    }
    values
        .entries(node, path)
        .forEach(
            (name, value) -> {
              String at = path + "." + name.text();
              if (values.checked(name, at, () -> NameRules.requireResource(name.text())) == null) {
                return;
              }
              Map<String, YamlNode> fields = values.fields(value, at, ENTITY_RESOURCE);
              LimitParser.Limits own = limits.limits(fields.get("limits"), at + ".limits", true);
              Boolean cascade = values.flag(fields.get("cascade"), at + ".cascade");
              resources.put(name.text(), new LevelSpec(own.own(), own.global(), cascade, null));
            });
    return resources;
  }
}
