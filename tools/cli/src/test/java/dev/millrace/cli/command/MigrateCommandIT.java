package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.CommandRun;
import dev.millrace.cli.ExitCodes;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.embedded.SharedEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The migration as an operator runs it. */
class MigrateCommandIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TABLE = "migrated-by-command";

  private final DynamoDbClient client =
      DynamoDbClient.builder()
          .endpointOverride(SharedEngine.endpoint())
          .region(Region.US_EAST_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "millrace")))
          .httpClientBuilder(UrlConnectionHttpClient.builder())
          .build();

  @BeforeEach
  void createTable() {
    assertThat(TableAdmin.of(client, TABLE).createIfMissing()).isTrue();
    client.deleteItem(r -> r.tableName(TABLE).key(key("_/SYSTEM#", "#VERSION")));
    client.putItem(r -> r.tableName(TABLE).item(bucket("a")));
    client.putItem(r -> r.tableName(TABLE).item(bucket("b")));
  }

  @AfterEach
  void deleteTable() {
    assertThat(TableAdmin.of(client, TABLE).delete()).isTrue();
    client.close();
  }

  private static Map<String, AttributeValue> key(String partition, String sort) {
    return Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS(sort));
  }

  private static Map<String, AttributeValue> bucket(String entity) {
    Map<String, AttributeValue> item =
        new HashMap<>(key("default/ENTITY#" + entity, "#BUCKET#gpt-4"));
    item.put("entity_id", AttributeValue.fromS(entity));
    item.put("resource", AttributeValue.fromS("gpt-4"));
    Map<String, Integer> numbers =
        Map.of("tk", 40_000, "cp", 50_000, "bx", 50_000, "ra", 50_000, "rp", 60_000, "tc", 10_000);
    numbers.forEach(
        (field, number) ->
            item.put("b_rpm_" + field, AttributeValue.fromN(Integer.toString(number))));
    item.put("rf", AttributeValue.fromN("1706000000000"));
    return item;
  }

  private static CommandRun run(String... args) {
    List<String> all =
        new ArrayList<>(
            List.of("migrate", "--table", TABLE, "--endpoint", SharedEngine.endpoint().toString()));
    all.addAll(Arrays.asList(args));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private boolean exists(String partition, String sort) {
    return client.getItem(r -> r.tableName(TABLE).key(key(partition, sort))).hasItem();
  }

  @Test
  void json_dryRunThenRunThenCleanUp_saysWhatEachPassDid() throws JsonProcessingException {
    CommandRun look = run("--dry-run", "--json");
    assertThat(look.exitCode()).as(look.err()).isZero();
    JsonNode found = JSON.readTree(look.out());
    assertThat(found.get("composite").asInt()).isEqualTo(2);
    assertThat(found.get("consumedMilli").asInt()).isEqualTo(20_000);
    assertThat(exists("default/BUCKET#a#gpt-4#0", "#STATE")).isFalse();
    assertThat(exists("_/SYSTEM#", "#VERSION")).isFalse();

    CommandRun moved = run("--json");
    assertThat(moved.exitCode()).as(moved.err()).isZero();
    assertThat(JSON.readTree(moved.outLines().get(0)).get("moved").asInt()).isEqualTo(2);
    assertThat(JSON.readTree(moved.outLines().get(1)).get("verified").asInt()).isEqualTo(2);
    assertThat(exists("default/BUCKET#a#gpt-4#0", "#STATE")).isTrue();

    CommandRun cleaned = run("--cleanup", "--yes", "--json");
    assertThat(cleaned.exitCode()).as(cleaned.err()).isZero();
    assertThat(JSON.readTree(cleaned.outLines().get(2)).get("deleted").asInt()).isEqualTo(2);
    assertThat(exists("default/ENTITY#a", "#BUCKET#gpt-4")).isFalse();
  }

  @Test
  void text_corruptItem_isNamedAndLeft() {
    Map<String, AttributeValue> corrupt = new HashMap<>(bucket("c"));
    corrupt.remove("b_rpm_cp");
    client.putItem(r -> r.tableName(TABLE).item(corrupt));

    CommandRun run = run("--cleanup", "--yes");

    assertThat(run.exitCode()).isEqualTo(ExitCodes.FOUND);
    assertThat(run.out())
        .contains("carry over: ", "carried over now", "verify: ", "items that make no sense")
        .contains("default/ENTITY#c #BUCKET#gpt-4:", "cp is missing")
        .doesNotContain("clean up: ");
    assertThat(exists("default/ENTITY#a", "#BUCKET#gpt-4")).isTrue();
    assertThat(run("--verify").exitCode()).isEqualTo(ExitCodes.FOUND);
  }

  @Test
  void prepare_saysOnlyThatThereMayBeOlderOnes() {
    CommandRun run = run("--prepare");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(client.getItem(r -> r.tableName(TABLE).key(key("_/SYSTEM#", "#VERSION"))).item())
        .containsEntry("version", AttributeValue.fromN("3"))
        .containsEntry("oldest", AttributeValue.fromN("1"));
    assertThat(exists("default/BUCKET#a#gpt-4#0", "#STATE")).isFalse();
  }

  @Test
  void cleanUp_nobodyToAsk_isRefusedAndWritesNothing() {
    CommandRun run = run("--cleanup");

    assertThat(run.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("--yes");
    assertThat(exists("_/SYSTEM#", "#VERSION")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--dry-run --verify",
        "--dry-run --resume",
        "--prepare --cleanup --yes",
        "--rate 0",
        "--segments 33"
      })
  void mistake_isWrongUsageAndWritesNothing(String line) {
    CommandRun run = run(line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(exists("_/SYSTEM#", "#VERSION")).isFalse();
  }
}
