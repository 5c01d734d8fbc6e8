package dev.millrace.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** Every fault that the check knows is planted here, and found. */
class CheckCommandIT {
  private final DynamoDbClient dynamo = LocalEngine.client();
  private final String table = LocalEngine.newName();

  @AfterEach
  void close() {
    dynamo.close();
  }

  private CommandRun check(String... options) {
    return check(Clock.systemUTC(), options);
  }

  private CommandRun check(Clock clock, String... options) {
    List<String> args = new ArrayList<>(List.of(options));
    args.addAll(List.of("--table=" + table, "--endpoint=" + LocalEngine.endpoint()));
    return CommandRun.of(new CheckCommand(clock), args.toArray(new String[0]));
  }

  /** The ids of what is found, by its JSON; the text must name the same. */
  private List<String> found(String... options) throws IOException {
    List<String> withJson = new ArrayList<>(List.of(options));
    withJson.add("--json");
    CommandRun run = check(withJson.toArray(new String[0]));
    List<String> ids = new ArrayList<>();
    CommandRun text = check(options);
    for (JsonNode finding : run.json().get("findings")) {
      ids.add(finding.get("id").asText());
      assertThat(finding.get("what").asText()).isNotBlank();
      assertThat(text.out())
          .contains(
              finding.get("severity").asText() + " " + finding.get("id").asText() + ": ",
              "matters: " + finding.get("why").asText(),
              "to do:   " + finding.get("todo").asText());
    }
    assertThat(run.exitCode()).isEqualTo(ids.isEmpty() ? 0 : 6);
    return ids;
  }

  private void createTable() {
    TableAdmin.of(dynamo, table).createIfMissing();
  }

  /** A table that is wrong on purpose. */
  private void createWrong(Consumer<CreateTableRequest.Builder> wrong) {
    CreateTableRequest.Builder request = TableDefinition.create(table).toBuilder();
    wrong.accept(request);
    dynamo.createTable(request.build());
    dynamo.updateTimeToLive(TableDefinition.timeToLive(table));
    put(new SchemaRecord(SchemaRecord.SUPPORTED));
  }

  private void put(StoredRecord record) {
    dynamo.putItem(p -> p.tableName(table).item(RecordCodec.encode(record)));
  }

  @Test
  void check_tableAsItShouldBe_findsNothing() throws Exception {
    createTable();
    try (Admin admin = Admin.of(DynamoStore.of(dynamo, table), AdminOptions.of("test"))) {
      admin.namespaces().register("tenants");
    }

    assertThat(found()).isEmpty();
    assertThat(check().out()).isEqualTo("Table " + table + ": nothing is wrong\n");
  }

  @Test
  void check_missingIndex_isFound() throws Exception {
    createWrong(
        request -> {
          CreateTableRequest whole = TableDefinition.create(table);
          List<GlobalSecondaryIndex> indexes = new ArrayList<>(whole.globalSecondaryIndexes());
          indexes.removeIf(index -> index.indexName().equals("GSI3"));
          List<AttributeDefinition> attributes = new ArrayList<>(whole.attributeDefinitions());
          attributes.removeIf(attribute -> attribute.attributeName().startsWith("GSI3"));
          request.globalSecondaryIndexes(indexes).attributeDefinitions(attributes);
        });

    // Reading all of it needs no index.
    assertThat(found()).containsExactly("missing-index");
    assertThat(check().out()).contains("GSI3");
  }

  @Test
  void check_wrongProjection_isFound() throws Exception {
    createWrong(
        request -> {
          List<GlobalSecondaryIndex> indexes =
              new ArrayList<>(TableDefinition.create(table).globalSecondaryIndexes());
          indexes.set(
              1,
              indexes.get(1).toBuilder()
                  .projection(p -> p.projectionType(ProjectionType.ALL))
                  .build());
          request.globalSecondaryIndexes(indexes);
        });

    assertThat(found()).containsExactly("wrong-projection");
  }

  @Test
  void check_wrongIndexKey_isFound() throws Exception {
    createWrong(
        request -> {
          List<GlobalSecondaryIndex> indexes =
              new ArrayList<>(TableDefinition.create(table).globalSecondaryIndexes());
          GlobalSecondaryIndex first = indexes.get(0);
          indexes.set(0, first.toBuilder().keySchema(indexes.get(1).keySchema()).build());
          List<AttributeDefinition> attributes =
              new ArrayList<>(TableDefinition.create(table).attributeDefinitions());
          attributes.removeIf(attribute -> attribute.attributeName().startsWith("GSI1"));
          request.globalSecondaryIndexes(indexes).attributeDefinitions(attributes);
        });

    assertThat(found()).containsExactly("wrong-index-key");
  }

  @Test
  void check_streamOff_isFound() throws Exception {
    createWrong(request -> request.streamSpecification(s -> s.streamEnabled(false)));

    assertThat(found()).containsExactly("stream-off");
  }

  @Test
  void check_streamWithoutOldImages_isFound() throws Exception {
    createWrong(
        request ->
            request.streamSpecification(
                s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)));

    assertThat(found()).containsExactly("wrong-stream-view");
  }

  @Test
  void check_timeToLiveOff_isFound() throws Exception {
    dynamo.createTable(TableDefinition.create(table));
    put(new SchemaRecord(SchemaRecord.SUPPORTED));

    assertThat(found()).containsExactly("ttl-off");
  }

  @Test
  void check_timeToLiveOfAnotherAttribute_isFound() throws Exception {
    dynamo.createTable(TableDefinition.create(table));
    dynamo.updateTimeToLive(
        u ->
            u.tableName(table)
                .timeToLiveSpecification(t -> t.enabled(true).attributeName("expires")));
    put(new SchemaRecord(SchemaRecord.SUPPORTED));

    assertThat(found()).containsExactly("wrong-ttl");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void check_staleVersion_isFound(long version) throws Exception {
    createTable();
    put(new SchemaRecord(version));

    assertThat(found()).containsExactly("stale-version");
  }

  @Test
  void check_newerVersion_isFound() throws Exception {
    createTable();
    put(new SchemaRecord(SchemaRecord.SUPPORTED + 1));

    assertThat(found()).containsExactly("newer-version");
  }

  @Test
  void check_noVersion_isFound() throws Exception {
    dynamo.createTable(TableDefinition.create(table));
    dynamo.updateTimeToLive(TableDefinition.timeToLive(table));

    assertThat(found()).containsExactly("no-version");
  }

  @Test
  void check_orphanedNamespace_isFoundUnlessQuick() throws Exception {
    createTable();
    dynamo.putItem(p -> p.tableName(table).item(Attributes.key("x7gone/ENTITY#key-1", "#META")));

    assertThat(found()).containsExactly("orphaned-namespace");
    assertThat(check().out()).contains("1 items belong to the id x7gone");
    assertThat(found("--quick")).isEmpty();
  }

  @Test
  void check_namespaceWhoseIdIsLost_isFound() throws Exception {
    createTable();
    String id;
    try (Admin admin = Admin.of(DynamoStore.of(dynamo, table), AdminOptions.of("test"))) {
      id = admin.namespaces().register("tenants").id();
    }
    dynamo.deleteItem(
        d -> d.tableName(table).key(RecordCodec.key(new RecordKey.NamespaceById(id))));

    assertThat(found("--quick")).containsExactly("half-namespace");
  }

  @Test
  void check_expiredLock_isFound() throws Exception {
    createTable();
    long now = System.currentTimeMillis();
    put(hold("entity:fresh", now));
    assertThat(found("--quick")).isEmpty();
    put(hold("entity:acme", now - Duration.ofHours(1).toMillis()));

    assertThat(found("--quick")).containsExactly("expired-lock");
    assertThat(check().out()).contains("entity:acme of the namespace default", "60 min ago");
  }

  private static JobRecord hold(String id, long updatedAtMs) {
    return new JobRecord(
        new RecordKey.Job("default", id),
        /* version= */ 1,
        "entity.move",
        Map.of(),
        /* cursor= */ null,
        /* examined= */ 0,
        /* changed= */ 0,
        /* done= */ false,
        updatedAtMs,
        updatedAtMs,
        /* expiresAtSeconds= */ 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {60, -60})
  void check_clockOffByAMinute_isFound(long seconds) {
    createTable();
    Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds));

    CommandRun run = check(wrong, "--quick");

    assertThat(run.exitCode()).isEqualTo(6);
    assertThat(run.out()).contains("error clock-off", seconds < 0 ? " s behind" : " s ahead");
  }

  @Test
  void check_noTable_isFound() throws Exception {
    assertThat(found()).containsExactly("missing-table");
  }

  @Test
  void check_nobodyAnswers_saysSoWithAnExitCodeOfItsOwn() throws Exception {
    int port;
    try (ServerSocket closedSoon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closedSoon.getLocalPort();
    }

    CommandRun run =
        CommandRun.of(new CheckCommand(), "--endpoint=http://127.0.0.1:" + port, "--table=any");

    assertThat(run.exitCode()).isEqualTo(5);
    assertThat(run.out()).contains("error unreachable", "check region, endpoint");
  }
}
