package dev.millrace.core.spi.directory;

import dev.millrace.NameRules;
import dev.millrace.core.spi.config.ConfigLevel;

/** Which record. Every name in a key was checked when the key was made. */
public sealed interface RecordKey {
  /** An entity's own record. */
  record Entity(String namespace, String entityId) implements RecordKey {
    /** Checks the names. */
    public Entity {
      NameRules.requireNamespace(namespace);
      NameRules.requireEntityId(entityId);
    }
  }

  /**
   * The configuration of one level. What a level does not need is empty.
   *
   * @param level every one but {@link ConfigLevel#CALL}
   */
  record Config(String namespace, ConfigLevel level, String entityId, String resource)
      implements RecordKey {
    /** Checks the names. */
    public Config {
      NameRules.requireNamespace(namespace);
      boolean ofEntity = level == ConfigLevel.ENTITY_RESOURCE || level == ConfigLevel.ENTITY;
      boolean ofResource = level == ConfigLevel.ENTITY_RESOURCE || level == ConfigLevel.RESOURCE;
      if (level == ConfigLevel.CALL) {
        throw new IllegalArgumentException("level " + level + " is not stored");
      }
      require(level, "entityId", entityId, ofEntity);
      require(level, "resource", resource, ofResource);
      if (ofEntity) {
        NameRules.requireEntityId(entityId);
      }
      if (ofResource) {
        NameRules.requireResource(resource);
      }
    }

    private static void require(ConfigLevel level, String field, String value, boolean needed) {
      if (value.isEmpty() == needed) {
        throw new IllegalArgumentException(
            field + " '" + value + "' must " + (needed ? "" : "not ") + "be given for " + level);
      }
    }

    /** Of one entity and one resource. */
    public static Config ofEntityResource(String namespace, String entityId, String resource) {
      return new Config(namespace, ConfigLevel.ENTITY_RESOURCE, entityId, resource);
    }

    /** Of one entity and whatever resource. */
    public static Config ofEntity(String namespace, String entityId) {
      return new Config(namespace, ConfigLevel.ENTITY, entityId, "");
    }

    /** Of one resource and whatever entity. */
    public static Config ofResource(String namespace, String resource) {
      return new Config(namespace, ConfigLevel.RESOURCE, "", resource);
    }

    /** Of a whole namespace. */
    public static Config ofSystem(String namespace) {
      return new Config(namespace, ConfigLevel.SYSTEM, "", "");
    }
  }

  /** An audit event; {@code id} is ordered by time. */
  record Audit(String namespace, String subject, String id) implements RecordKey {}

  /** A piece of long work; {@code id} is ordered by time. */
  record Job(String namespace, String id) implements RecordKey {}

  /** A namespace by its name. */
  record NamespaceByName(String name) implements RecordKey {
    /** Checks the name. */
    public NamespaceByName {
      NameRules.requireNamespace(name);
    }
  }

  /** A namespace by its id. */
  record NamespaceById(String id) implements RecordKey {
    /** Checks the id. */
    public NamespaceById {
      NameRules.requireNamespace(id);
    }
  }

  /** The version of the table's schema. */
  record Schema() implements RecordKey {}
}
