package dev.millrace.dynamodb.internal.schema;

/**
 * Attributes of the records beside the buckets. They are read seldom and by people too, so their
 * names are whole words; some of them are reserved in expressions, where placeholders stand for
 * them. Times are epoch milliseconds.
 */
public final class RecordAttributes {
  /** Of every record: grows with every change. */
  public static final String VERSION = "version";

  /** Of the schema: the oldest version of which there may be buckets; absent for none older. */
  public static final String OLDEST = "oldest";

  /** Of the schema in tables of versions 1 and 2, as text: there is no {@link #VERSION} then. */
  public static final String FORMER_VERSION = "schema_version";

  public static final String NAME = "name";

  /** Of an entity and of a config: whether an acquire is also charged to the parent. */
  public static final String CASCADE = "cascade";

  /** Of an entity and of a config: whether acquires are refused. */
  public static final String DISABLED = "disabled";

  // of an entity
  public static final String PARENT_ID = "parent_id";
  public static final String METADATA = "metadata";
  public static final String CREATED_AT = "created_at";

  /** The ancestors when the parent was last set, the nearest first. */
  public static final String ANCESTORS = "ancestors";

  /** The number of entities that have it as their parent. */
  public static final String CHILDREN = "children";

  // of the config of one level
  public static final String ON_UNAVAILABLE = "on_unavailable";
  public static final String AUDIT_RETENTION_DAYS = "audit_retention_days";

  /** The limits that all regions share, by name; absent for none. */
  public static final String WHOLE = "whole";

  /** The part of such limits that this region enforces, by name; absent for none. */
  public static final String PART = "part";

  /** What the exchange between regions keeps, by name; absent for none. */
  public static final String REGIONS = "regions";

  /**
   * Of an entity's config for any resource: the version that absent records of the entity count as;
   * absent when none was ever removed.
   */
  public static final String VERSION_FLOOR = "version_floor";

  // of a namespace
  public static final String NAMESPACE_ID = "namespace_id";
  public static final String STATE = "state";
  public static final String CHANGED_AT = "changed_at";

  // of an audit event
  public static final String AT = "at";
  public static final String ACTOR = "actor";
  public static final String ACTION = "action";
  public static final String BEFORE = "before";
  public static final String AFTER = "after";

  // of a job
  public static final String KIND = "kind";
  public static final String ARGUMENTS = "arguments";
  public static final String CURSOR = "cursor";
  public static final String EXAMINED = "examined";
  public static final String CHANGED = "changed";
  public static final String DONE = "done";
  public static final String STARTED_AT = "started_at";
  public static final String UPDATED_AT = "updated_at";

  /** Epoch seconds until when it is kept once it is done. */
  public static final String EXPIRES_AT = "expires_at";

  private RecordAttributes() {}
}
