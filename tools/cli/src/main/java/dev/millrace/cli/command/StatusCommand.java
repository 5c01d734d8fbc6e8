package dev.millrace.cli.command;

import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.Page;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.BuildVersion;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.text.JsonText;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/** Shows the state of the table. */
@Command(
    name = "status",
    description =
        "Shows the table, its stream, its namespaces, its version and how fast it answers.")
public final class StatusCommand extends CliCommand implements Callable<Integer> {
  private static final int READS = 5;
  private static final long TIMEOUT_MS = 5_000;

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Override
  public Integer call() {
    return connection.run(
        session -> {
          List<NamespaceView> namespaces =
              session.admin().namespaces().list(Page.MAX_SIZE, null).items();
          Map<String, @Nullable Object> json = describe(session, namespaces);
          return session.print(json, () -> text(json, namespaces));
        });
  }

  private static Map<String, @Nullable Object> describe(
      Session session, List<NamespaceView> namespaces) {
    String name = session.settings().table();
    TableDescription table = session.client().describeTable(r -> r.tableName(name)).table();
    session.table().verify();
    TimeToLiveDescription ttl =
        session.client().describeTimeToLive(r -> r.tableName(name)).timeToLiveDescription();
    StreamSpecification stream = table.streamSpecification();
    boolean streams = stream != null && Boolean.TRUE.equals(stream.streamEnabled());
    BlockingStore store = DynamoStore.of(session.client(), name);
    long[] nanos = new long[READS];
    Long schema = null;
    for (int i = 0; i < READS; i++) {
      long startedNanos = System.nanoTime();
      schema = schema(store);
      nanos[i] = System.nanoTime() - startedNanos;
    }
    Arrays.sort(nanos);
    return JsonText.object(
        "table", name,
        "status", table.tableStatusAsString(),
        "items", table.itemCount(),
        "bytes", table.tableSizeBytes(),
        "indexes", table.globalSecondaryIndexes().size(),
        "stream", streams ? stream.streamViewTypeAsString() : "off",
        "timeToLive", ttl == null ? "off" : ttl.timeToLiveStatusAsString(),
        "schema", schema,
        "software", BuildVersion.version(),
        "namespaces", namespaces.stream().map(AdminJson::of).toList(),
        "readMsMedian", millis(nanos[READS / 2]),
        "readMsWorst", millis(nanos[READS - 1]));
  }

  private static @Nullable Long schema(BlockingStore store) {
    RecordKey key = new RecordKey.Schema();
    StoreReply reply =
        store.execute(new StoreCall.Lookup(List.of(key), /* consistent= */ true), TIMEOUT_MS);
    return reply instanceof StoreReply.Records records
            && records.records().get(key) instanceof SchemaRecord record
        ? record.version()
        : null;
  }

  private static double millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
  }

  private static List<String> text(
      Map<String, @Nullable Object> json, List<NamespaceView> namespaces) {
    String names =
        namespaces.stream()
            .map(view -> view.name() + " (" + view.state().name().toLowerCase(Locale.ROOT) + ")")
            .collect(Collectors.joining(", "));
    Map<String, @Nullable Object> texts = new LinkedHashMap<>(json);
    texts.put("namespaces", names.isEmpty() ? "none registered" : names);
    List<String> lines = new ArrayList<>();
    texts.forEach(
        (name, value) -> lines.add("%-13s %s".formatted(name, value == null ? "–" : value)));
    return lines;
  }
}
