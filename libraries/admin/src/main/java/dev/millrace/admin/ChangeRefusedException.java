package dev.millrace.admin;

import dev.millrace.core.error.MillraceException;
import java.util.Map;

/** A change that cannot be made as things are stored. Nothing was written. */
public final class ChangeRefusedException extends MillraceException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why not. */
  public enum Reason {
    /** There is an entity of that id already. */
    ENTITY_EXISTS("an entity of this id exists already"),
    /** There is no such entity. */
    UNKNOWN_ENTITY("there is no such entity"),
    /** The parent that was named does not exist. */
    UNKNOWN_PARENT("the parent does not exist: create it first"),
    /** The entity would be its own ancestor. */
    CYCLE("an entity cannot be its own ancestor"),
    /** The chain from an entity to the top would be too long. */
    TOO_DEEP("the tree of entities would be too deep"),
    /** There are too many descendants to find out how deep the tree would be. */
    TOO_MANY_DESCENDANTS(
        "too many descendants to find out how deep the tree would be: move parts of it"),
    /** The entity has children. */
    HAS_CHILDREN("the entity has children: move or delete them first"),
    /** Buckets of the entity are below zero. */
    IN_DEBT("buckets of the entity are in debt: wait, or delete it forgiving the debt"),
    /** The entity is being deleted. */
    BEING_DELETED("the entity is being deleted: resume that first"),
    /** A limit of the same name has another period at a weaker level. */
    OTHER_PERIOD(
        "a limit of this name is stored with another refill period: name it otherwise, or allow it"),
    /** There is no such bucket. */
    UNKNOWN_BUCKET("there is no such bucket: the first acquire makes it"),
    /** The limits that were named are not those of the bucket. */
    UNKNOWN_LIMIT("the bucket has no such limit"),
    /** The bucket has more shards than fit into one transaction. */
    TOO_MANY_SHARDS("the bucket has more shards than one transaction can write"),
    /** The operation id was used for something else. */
    OPERATION_REUSED("the operation id was used for another operation: choose a new one"),
    /** There is a namespace of that name already. */
    NAMESPACE_EXISTS(
        "a namespace of this name exists already: recover or purge it if it is deleted"),
    /** There is no such namespace. */
    UNKNOWN_NAMESPACE("there is no such namespace"),
    /** The namespace is not in the state that the change needs. */
    NAMESPACE_STATE("the namespace is not in the state that this needs"),
    /** The namespace has not been deleted for long enough. */
    PURGE_TOO_EARLY("the namespace was deleted too recently: caches may still know it"),
    /** The namespace is registered, so what is in it is no orphan. */
    NOT_AN_ORPHAN("the namespace is registered: delete and purge it by its name"),
    /** There is no such job. */
    UNKNOWN_JOB("there is no such job");

    private final String summary;

    Reason(String summary) {
      this.summary = summary;
    }
  }

  /** A refusal and what varies. */
  public ChangeRefusedException(Reason reason, Map<String, ?> attributes) {
    super(reason.summary, attributes, null);
    this.reason = reason;
  }

  /** Why not. */
  public Reason reason() {
    return reason;
  }
}
