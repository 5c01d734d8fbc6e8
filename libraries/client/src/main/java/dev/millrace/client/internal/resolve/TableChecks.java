package dev.millrace.client.internal.resolve;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterOptions;
import dev.millrace.SchemaMismatchException;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether the table is one for this version, and the namespace one that is in use. */
public final class TableChecks {
  private TableChecks() {}

  /** Whether what is stored under {@code key} is a reason to refuse everything. */
  public static boolean refuses(RecordKey key, @Nullable StoredRecord record) {
    if (record instanceof SchemaRecord schema) {
      return schema.version() != SchemaRecord.SUPPORTED;
    }
    return record instanceof NamespaceRecord namespace
        ? namespace.state() != NamespaceRecord.State.ACTIVE
        : key instanceof RecordKey.NamespaceByName;
  }

  /** Throws when what is stored under {@code key} is a reason to refuse everything. */
  public static void check(LimiterOptions options, RecordKey key, @Nullable StoredRecord record) {
    if (!refuses(key, record)) {
      return;
    }
    if (record instanceof SchemaRecord schema) {
      throw mismatch(schema);
    }
    throw record instanceof NamespaceRecord namespace
        ? refused(options, "it is " + namespace.state(), "recover it, or use another namespace")
        : refused(options, "it is not registered", "register it, or check its name");
  }

  private static SchemaMismatchException mismatch(SchemaRecord schema) {
    boolean newer = schema.version() > SchemaRecord.SUPPORTED;
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("found", schema.version());
    attributes.put("supported", SchemaRecord.SUPPORTED);
    attributes.put(
        "todo",
        newer
            ? "upgrade Millrace in this application, or use a table of its own"
            : "migrate the table first");
    return new SchemaMismatchException(
        newer
            ? "the table is of a newer version than this software"
            : "the table is of an older version than this software",
        attributes,
        null);
  }

  private static LimiterConfigurationException refused(
      LimiterOptions options, String problem, String todo) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("namespace", options.namespace());
    attributes.put("problem", problem);
    attributes.put("todo", todo);
    return new LimiterConfigurationException("the namespace cannot be used", attributes, null);
  }
}
