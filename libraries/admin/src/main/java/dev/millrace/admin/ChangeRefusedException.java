package dev.millrace.admin;

import dev.millrace.MillraceException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A change that the stored state does not allow. Nothing was written. */
public final class ChangeRefusedException extends MillraceException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** The reason of a refusal. */
  public enum Reason {
    /** An entity with this id exists already. */
    ENTITY_EXISTS("an entity with this id exists already"),
    /** There is no such entity. */
    UNKNOWN_ENTITY("there is no such entity"),
    /** The parent that was named does not exist. */
    UNKNOWN_PARENT("the parent does not exist: create it first"),
    /** The entity would be its own ancestor. */
    CYCLE("an entity cannot be its own ancestor"),
    /** The chain from an entity to the top would be too long. */
    TOO_DEEP("the tree of entities would be too deep"),
    /** There are too many descendants to compute the depth of the tree. */
    TOO_MANY_DESCENDANTS("too many descendants to compute the depth of the tree: move parts of it"),
    /** The entity has children. */
    HAS_CHILDREN("the entity has children: move or delete them first"),
    /** Buckets of the entity are below zero. */
    IN_DEBT("buckets of the entity are in debt: wait, or delete it forgiving the debt"),
    /** The entity is being deleted. */
    BEING_DELETED("the entity is being deleted: resume that first"),
    /** A limit with the same name has another period at a weaker level. */
    OTHER_PERIOD(
        "a limit with this name is stored with another refill period: rename it, or allow it"),
    /** There is no such bucket. */
    UNKNOWN_BUCKET("there is no such bucket: the first acquire creates it"),
    /** The named limits are not those of the bucket. */
    UNKNOWN_LIMIT("the bucket has no such limit"),
    /** The bucket has more shards than fit into one transaction. */
    TOO_MANY_SHARDS("the bucket has more shards than one transaction can write"),
    /** The operation id was used for another operation. */
    OPERATION_REUSED("the operation id was used for another operation: choose a new one"),
    /** A namespace with this name exists already. */
    NAMESPACE_EXISTS(
        "a namespace with this name exists already: recover or purge it if it is deleted"),
    /** There is no such namespace. */
    UNKNOWN_NAMESPACE("there is no such namespace"),
    /** The namespace is not in the state that the change needs. */
    NAMESPACE_STATE("the namespace is not in the required state"),
    /** The namespace has not been deleted for long enough. */
    PURGE_TOO_EARLY("the namespace was deleted too recently: caches may still contain it"),
    /** The namespace is registered, so its items are not orphans. */
    NOT_AN_ORPHAN("the namespace is registered: delete and purge it by name"),
    /** There is no such job. */
    UNKNOWN_JOB("there is no such job");

    private final String summary;

    Reason(String summary) {
      this.summary = summary;
    }
  }

  private ChangeRefusedException(Reason reason, Map<String, ?> attributes) {
    super(reason.summary, attributes, null);
    this.reason = reason;
  }

  /** A refusal with the names and values of its attributes, in this order. */
  public static ChangeRefusedException of(Reason reason, Object... namesAndValues) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attributes.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return new ChangeRefusedException(reason, attributes);
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
