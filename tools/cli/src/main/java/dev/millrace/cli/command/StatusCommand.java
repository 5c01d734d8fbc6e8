package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.Page;
import dev.millrace.cli.BuildVersion;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/** How the table is. */
@Command(
    name = "status",
    description =
        "Shows the table, its stream, its namespaces, its version and how fast it answers.")
public final class StatusCommand implements Callable<Integer> {
  private static final int READS = 5;
  private static final long TIMEOUT_MS = 5_000;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Override
  public Integer call() {
    return connection.run(
        session -> {
          Map<String, @Nullable Object> json = describe(session);
          session.output().one(json, () -> text(json));
          return ExitCodes.DONE;
        });
  }

  private static Map<String, @Nullable Object> describe(Session session) {
    String name = session.settings().table();
    TableDescription table = session.client().describeTable(r -> r.tableName(name)).table();
    session.table().verify();
    TimeToLiveDescription ttl =
        session.client().describeTimeToLive(r -> r.tableName(name)).timeToLiveDescription();
    StreamSpecification stream = table.streamSpecification();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("table", name);
    json.put("status", table.tableStatusAsString());
    json.put("items", table.itemCount());
    json.put("bytes", table.tableSizeBytes());
    json.put("indexes", table.globalSecondaryIndexes().size());
    json.put(
        "stream",
        stream != null && Boolean.TRUE.equals(stream.streamEnabled())
            ? stream.streamViewTypeAsString()
            : "off");
    json.put("timeToLive", ttl == null ? "off" : ttl.timeToLiveStatusAsString());
    json.put("schema", schema(session));
    json.put("software", version());
    json.put("namespaces", namespaces(session));
    long[] nanos = latencies(session);
    json.put("readMsMedian", millis(nanos[nanos.length / 2]));
    json.put("readMsWorst", millis(nanos[nanos.length - 1]));
    return json;
  }

  private static @Nullable Long schema(Session session) {
    RecordKey key = new RecordKey.Schema();
    StoreReply reply = read(session, key);
    return reply instanceof StoreReply.Records records
            && records.records().get(key) instanceof SchemaRecord record
        ? record.version()
        : null;
  }

  private static StoreReply read(Session session, RecordKey key) {
    return DynamoStore.of(session.client(), session.settings().table())
        .execute(new StoreCall.Lookup(List.of(key), /* consistent= */ true), TIMEOUT_MS);
  }

  private static List<Map<String, Object>> namespaces(Session session) {
    Page<NamespaceView> page = session.admin().namespaces().list(Page.MAX_SIZE, null);
    List<Map<String, Object>> json = new ArrayList<>();
    page.items().forEach(view -> json.add(AdminJson.of(view)));
    return json;
  }

  private static long[] latencies(Session session) {
    long[] nanos = new long[READS];
    for (int i = 0; i < READS; i++) {
      long startedNanos = System.nanoTime();
      StoreReply unused = read(session, new RecordKey.Schema());
      nanos[i] = System.nanoTime() - startedNanos;
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static double millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
  }

  private static String version() {
    try {
      return BuildVersion.version();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> text(Map<String, @Nullable Object> json) {
    List<String> lines = new ArrayList<>();
    json.forEach(
        (name, value) -> {
          if (!(value instanceof List<?> list)) {
            lines.add(String.format(Locale.ROOT, "%-13s %s", name, value == null ? "–" : value));
          } else {
            List<String> names = new ArrayList<>();
            for (Object each : list) {
              if (each instanceof Map<?, ?> namespace) {
                names.add(namespace.get("name") + " (" + namespace.get("state") + ")");
              }
            }
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%-13s %s",
                    name,
                    names.isEmpty() ? "none registered" : String.join(", ", names)));
          }
        });
    return lines;
  }
}
