package dev.millrace.admin.internal;

import dev.millrace.NameRules;
import dev.millrace.core.spi.directory.RecordKey;

/**
 * The subjects of audit events. No entity id begins with a dollar sign, so no entity can be
 * mistaken for another kind of subject.
 */
public final class AuditSubjects {
  /** The namespace's own settings and limits. */
  public static final String SYSTEM = "$SYSTEM";

  private static final String RESOURCE = "$RESOURCE:";
  private static final String NAMESPACE = "$NAMESPACE:";
  private static final String MANIFEST = "$MANIFEST:";

  private AuditSubjects() {}

  public static String ofResource(String resource) {
    return RESOURCE + NameRules.requireResource(resource);
  }

  public static String ofEntity(String entityId) {
    return NameRules.requireEntityId(entityId);
  }

  public static String ofNamespace(String name) {
    return NAMESPACE + NameRules.requireNamespace(name);
  }

  public static String ofManifest(String name) {
    return MANIFEST + NameRules.requireNamespace(name);
  }

  static String of(RecordKey.Config key) {
    return switch (key.level()) {
      case ENTITY_RESOURCE, ENTITY -> ofEntity(key.entityId());
      case RESOURCE -> ofResource(key.resource());
      case SYSTEM, CALL -> SYSTEM;
    };
  }
}
