package dev.millrace.dynamodb.internal.schema;

/**
 * Attributes of the records beside the buckets. They are read seldom and by people too, so their
 * names are whole words; some of them are reserved in expressions, where placeholders stand for
 * them.
 */
public final class RecordAttributes {
  /** Of every record: grows with every change. */
  public static final String VERSION = "version";

  /** Of the schema: the oldest version of which there may be buckets; absent for none older. */
  public static final String OLDEST = "oldest";

  /** Of the schema in tables of versions 1 and 2, as text: there is no {@link #VERSION} then. */
  public static final String FORMER_VERSION = "schema_version";

  /** Of an entity and of a namespace: its name. */
  public static final String NAME = "name";

  /** Of an entity: its parent; absent at the top. */
  public static final String PARENT_ID = "parent_id";

  /** Of an entity: its ancestors when the parent was last set, the nearest first. */
  public static final String ANCESTORS = "ancestors";

  /** Of an entity and of a config: whether an acquire also draws on the parent. */
  public static final String CASCADE = "cascade";

  /** Of an entity and of a config: whether acquires are refused. */
  public static final String DISABLED = "disabled";

  /** Of an entity: what the application wants to remember. */
  public static final String METADATA = "metadata";

  /** Of an entity: epoch milliseconds. */
  public static final String CREATED_AT = "created_at";

  /** Of an entity: how many have it as their parent. */
  public static final String CHILDREN = "children";

  /** Of the system's config: what limiters answer when the store is away. */
  public static final String ON_UNAVAILABLE = "on_unavailable";

  /** Of the system's config: how long audit events are kept. */
  public static final String AUDIT_RETENTION_DAYS = "audit_retention_days";

  /** Of a namespace: its id. */
  public static final String NAMESPACE_ID = "namespace_id";

  /** Of a namespace: what has become of it. */
  public static final String STATE = "state";

  /** Of a namespace: epoch milliseconds at which it came into its state. */
  public static final String CHANGED_AT = "changed_at";

  /** Of an audit event: epoch milliseconds. */
  public static final String AT = "at";

  /** Of an audit event: who. */
  public static final String ACTOR = "actor";

  /** Of an audit event: what. */
  public static final String ACTION = "action";

  /** Of an audit event: what was there. */
  public static final String BEFORE = "before";

  /** Of an audit event: what is there now. */
  public static final String AFTER = "after";

  /** Of long work: what is done. */
  public static final String KIND = "kind";

  /** Of long work: with what. */
  public static final String ARGUMENTS = "arguments";

  /** Of long work: where to go on; absent at the beginning. */
  public static final String CURSOR = "cursor";

  /** Of long work: how many things were looked at. */
  public static final String EXAMINED = "examined";

  /** Of long work: how many of them were changed. */
  public static final String CHANGED = "changed";

  /** Of long work: whether nothing is left to do. */
  public static final String DONE = "done";

  /** Of long work: epoch milliseconds. */
  public static final String STARTED_AT = "started_at";

  /** Of long work: epoch milliseconds. */
  public static final String UPDATED_AT = "updated_at";

  /** Of long work: epoch seconds until when it is kept once it is done. */
  public static final String EXPIRES_AT = "expires_at";

  /** Of a level: the limits that all regions share, by name; absent for none. */
  public static final String WHOLE = "whole";

  /** Of a level: what this region enforces of such limits, by name; absent for none. */
  public static final String PART = "part";

  /** Of a level: what the exchange between regions keeps, by name; absent for none. */
  public static final String REGIONS = "regions";

  /**
   * Of an entity's config for whatever resource: the version that records of the entity count as
   * which are not there; absent when none was ever removed.
   */
  public static final String VERSION_FLOOR = "version_floor";

  private RecordAttributes() {}
}
