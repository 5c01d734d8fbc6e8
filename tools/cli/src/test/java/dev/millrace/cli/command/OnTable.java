package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.cli.CommandRun;
import dev.millrace.cli.table.ServiceEndpoint;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.SharedEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Commands on a table of their own, which they find through the environment. */
final class OnTable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String table;

  private OnTable(String table) {
    this.table = table;
  }

  /** Makes the table, by command. */
  static OnTable create(String table) {
    OnTable created = new OnTable(table);
    created.done("table", "create");
    return created;
  }

  Map<String, String> environment() {
    return Map.of(
        "MILLRACE_ENDPOINT",
        SharedEngine.endpoint().toString(),
        "MILLRACE_TABLE",
        table,
        "MILLRACE_ACTOR",
        "tester");
  }

  CommandRun run(String... args) {
    return CommandRun.in(CommandRun.nothing(environment()), args);
  }

  /** What is printed for people by a command that must succeed. */
  String done(String... args) {
    CommandRun run = run(args);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  /** What is printed for machines, line by line, by a command that must succeed. */
  List<JsonNode> lines(String... args) {
    String[] withJson = java.util.Arrays.copyOf(args, args.length + 1);
    withJson[args.length] = "--json";
    List<JsonNode> lines = new ArrayList<>();
    for (String line : done(withJson).lines().toList()) {
      lines.add(read(line));
    }
    return lines;
  }

  /** The one object that is printed for machines. */
  JsonNode json(String... args) {
    List<JsonNode> lines = lines(args);
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  /** The line of a command that must end with this code. */
  String fails(int exitCode, String... args) {
    CommandRun run = run(args);
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    assertThat(run.out()).isEmpty();
    return run.err();
  }

  DynamoDbClient client() {
    return new ServiceEndpoint(SharedEngine.endpoint(), null).dynamo();
  }

  BlockingStore store(DynamoDbClient client) {
    return DynamoStore.of(client, table);
  }

  String table() {
    return table;
  }

  /** Past the commands, as somebody else. */
  void byHand(java.util.function.Consumer<NamespaceAdmin> work) {
    try (DynamoDbClient client = client();
        Admin admin = Admin.of(store(client), AdminOptions.of("by-hand"))) {
      work.accept(admin.in("default"));
    }
  }

  private static JsonNode read(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + line, e);
    }
  }
}
