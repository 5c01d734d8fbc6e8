package dev.millrace.dynamodb.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.MillraceException;
import dev.millrace.SchemaMismatchException;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What is asked of DynamoDB, in order. */
@Timeout(60)
class TableAdminTest {
  private static final Answer MISSING = Answer.error(400, "ResourceNotFoundException");
  private static final Answer CREATING = Answer.ok(table("CREATING", "KEYS_ONLY"));
  private static final Answer ACTIVE = Answer.ok(table("ACTIVE", "KEYS_ONLY"));
  private static final Answer DONE = Answer.ok("{}");
  private static final Answer NO_VERSION = Answer.ok("{}");

  /** What a scan finds in a table without buckets of an older schema. */
  private static final Answer NOTHING = Answer.ok("{\"Items\":[],\"Count\":0}");

  private static final Answer VERSION_3 = version(3);
  private static final Answer TTL_ON =
      ttl("{\"TimeToLiveStatus\":\"ENABLED\",\"AttributeName\":\"ttl\"}");
  private static final Answer TTL_OFF = ttl("{\"TimeToLiveStatus\":\"DISABLED\"}");

  @Test
  void createIfMissing_missing_createsWaitsAndEnablesTimeToLive() throws Exception {
    List<String> operations =
        run(
            admin -> assertThat(admin.createIfMissing()).isTrue(),
            MISSING,
            DONE,
            CREATING,
            ACTIVE,
            ACTIVE,
            NO_VERSION,
            TTL_OFF,
            DONE,
            DONE);
    assertThat(operations)
        .containsExactly(
            "DescribeTable",
            "CreateTable",
            "DescribeTable",
            "DescribeTable",
            "DescribeTable",
            "GetItem",
            "DescribeTimeToLive",
            "UpdateTimeToLive",
            "PutItem");
  }

  @Test
  void createIfMissing_saysNoVersion_writesOurs() throws Exception {
    try (WireServer server =
        new WireServer(
            n -> List.of(ACTIVE, ACTIVE, ACTIVE, NO_VERSION, TTL_ON, NOTHING, DONE).get(n - 1))) {
      run(TableAdmin::createIfMissing, server);
      assertThat(server.operations()).endsWith("PutItem");
      assertThat(server.bodies().get(6))
          .contains(
              "\"PK\":{\"S\":\"_/SYSTEM#\"}",
              "\"SK\":{\"S\":\"#VERSION\"}",
              "\"version\":{\"N\":\"3\"}",
              "\"ConditionExpression\":\"attribute_not_exists(PK)\"");
    }
  }

  @Test
  void createIfMissing_saysNoVersionAndHoldsOldBuckets_isRefused() {
    Answer old =
        Answer.ok(
            "{\"Items\":[{\"PK\":{\"S\":\"n/ENTITY#a\"},\"SK\":{\"S\":\"#BUCKET#gpt-4\"}}],\"Count\":1}");
    assertThatThrownBy(
            () -> run(TableAdmin::createIfMissing, ACTIVE, ACTIVE, ACTIVE, NO_VERSION, TTL_ON, old))
        .isInstanceOfSatisfying(
            SchemaMismatchException.class,
            e ->
                assertThat(e.attributes())
                    .containsEntry("problem", "it holds buckets of an older schema"));
  }

  @Test
  void createIfMissing_somebodyElseWritesTheVersion_isFine() throws Exception {
    Answer refused = Answer.error(400, "ConditionalCheckFailedException");
    run(
        TableAdmin::createIfMissing,
        ACTIVE,
        ACTIVE,
        ACTIVE,
        NO_VERSION,
        TTL_ON,
        NOTHING,
        refused,
        ACTIVE,
        VERSION_3);
  }

  @Test
  void createIfMissing_somebodyNewerWritesTheVersion_isRefused() {
    Answer refused = Answer.error(400, "ConditionalCheckFailedException");
    assertThatThrownBy(
            () ->
                run(
                    TableAdmin::createIfMissing,
                    ACTIVE,
                    ACTIVE,
                    ACTIVE,
                    NO_VERSION,
                    TTL_ON,
                    NOTHING,
                    refused,
                    ACTIVE,
                    version(4)))
        .isInstanceOf(SchemaMismatchException.class);
  }

  @Test
  void verify_newerVersion_isRefusedWithAdvice() {
    assertThatThrownBy(() -> run(TableAdmin::verify, ACTIVE, version(4)))
        .isInstanceOfSatisfying(
            SchemaMismatchException.class,
            e ->
                assertThat(e.attributes())
                    .containsEntry("table", "limits")
                    .containsEntry("problem", "its schema version is 4, newer than this software")
                    .containsEntry("expected", "at most 3")
                    .containsEntry(
                        "todo",
                        "upgrade Millrace here to the version that changed the table, or use"
                            + " another table"));
  }

  @Test
  void verify_oursOlderOrNone_isFine() throws Exception {
    assertThat(run(TableAdmin::verify, ACTIVE, VERSION_3))
        .containsExactly("DescribeTable", "GetItem");
    run(TableAdmin::verify, ACTIVE, version(2));
    run(TableAdmin::verify, ACTIVE, NO_VERSION);
  }

  @Test
  void verify_corruptVersion_isNamed() {
    assertThatThrownBy(() -> run(TableAdmin::verify, ACTIVE, version(0)))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("version 0 is below 1");
  }

  @Test
  void createIfMissing_somebodyElseCreates_waitsForThem() throws Exception {
    List<String> operations =
        run(
            admin -> assertThat(admin.createIfMissing()).isFalse(),
            MISSING,
            Answer.error(400, "ResourceInUseException"),
            ACTIVE,
            ACTIVE,
            VERSION_3,
            TTL_OFF,
            DONE);
    assertThat(operations).hasSize(7);
  }

  @Test
  void createIfMissing_ours_changesNothing() throws Exception {
    List<String> operations =
        run(
            admin -> assertThat(admin.createIfMissing()).isFalse(),
            ACTIVE,
            ACTIVE,
            ACTIVE,
            VERSION_3,
            TTL_ON);
    assertThat(operations).doesNotContain("CreateTable", "UpdateTimeToLive", "PutItem");
  }

  @Test
  void createIfMissing_otherTimeToLive_isRefused() {
    assertThatThrownBy(
            () ->
                run(
                    TableAdmin::createIfMissing,
                    ACTIVE,
                    ACTIVE,
                    ACTIVE,
                    VERSION_3,
                    ttl("{\"TimeToLiveStatus\":\"ENABLED\",\"AttributeName\":\"expires\"}")))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("expires");
  }

  @Test
  void verify_indexThatProjectsEverything_isRefused() {
    assertThatThrownBy(() -> run(TableAdmin::verify, Answer.ok(table("ACTIVE", "ALL"))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("its index GSI1 projects ALL");
  }

  @Test
  void verify_missingIndex_isRefused() {
    Answer bare =
        Answer.ok("{\"Table\":{\"TableName\":\"limits\",\"KeySchema\":" + keys("PK", "SK") + "}}");
    assertThatThrownBy(() -> run(TableAdmin::verify, bare))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("it lacks the index GSI1")
        .hasMessageContaining("add the index");
  }

  @Test
  void verify_otherKey_isRefused() {
    Answer other =
        Answer.ok("{\"Table\":{\"TableName\":\"limits\",\"KeySchema\":" + keys("id", "SK") + "}}");
    assertThatThrownBy(() -> run(TableAdmin::verify, other))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("its key is [id HASH, SK RANGE]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"Replicas\":[{\"RegionName\":\"us-east-1\"},{\"RegionName\":\"eu-west-1\"}],",
        "\"GlobalTableVersion\":\"2017.11.29\","
      })
  void globalTable_isRefusedWithTheReason(String replicated) {
    Answer global =
        Answer.ok(
            table("ACTIVE", "KEYS_ONLY").replace("{\"Table\":{", "{\"Table\":{" + replicated));

    for (Work work : List.<Work>of(TableAdmin::verify, TableAdmin::createIfMissing)) {
      assertThatThrownBy(() -> run(work, global, global, global, VERSION_3, TTL_ON))
          .isInstanceOfSatisfying(
              SchemaMismatchException.class,
              e -> {
                assertThat(String.valueOf(e.attributes().get("problem")))
                    .startsWith("DynamoDB replicates it to [")
                    .matches(".*(eu-west-1, us-east-1|other regions, by version 2017.11.29).*");
                assertThat(String.valueOf(e.attributes().get("todo")))
                    .startsWith("remove the replicas: they overwrite each other's balances.");
              });
    }
  }

  @Test
  void verify_formerGlobalTable_isFine() throws Exception {
    Answer former =
        Answer.ok(
            table("ACTIVE", "KEYS_ONLY")
                .replace(
                    "{\"Table\":{",
                    "{\"Table\":{\"Replicas\":[],\"GlobalTableVersion\":\"2019.11.21\","));

    run(TableAdmin::verify, former, VERSION_3);
  }

  @Test
  void exists_eitherWay_isSaid() throws Exception {
    run(admin -> assertThat(admin.exists()).isTrue(), ACTIVE);
    run(admin -> assertThat(admin.exists()).isFalse(), MISSING);
  }

  @Test
  void delete_eitherWay_isSaid() throws Exception {
    assertThat(run(admin -> assertThat(admin.delete()).isTrue(), DONE, ACTIVE, MISSING))
        .containsExactly("DeleteTable", "DescribeTable", "DescribeTable");
    run(admin -> assertThat(admin.delete()).isFalse(), MISSING);
  }

  @FunctionalInterface
  private interface Work {
    void with(TableAdmin admin);
  }

  private static List<String> run(Work work, Answer... answers) throws Exception {
    try (WireServer server = new WireServer(n -> answers[n - 1])) {
      run(work, server);
      return server.operations();
    }
  }

  private static void run(Work work, WireServer server) {
    try (DynamoDbClient client =
        DynamoDbClient.builder()
            .region(Region.EU_CENTRAL_1)
            .endpointOverride(server.endpoint())
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build()) {
      work.with(TableAdmin.of(client, "limits"));
    }
  }

  private static Answer version(int version) {
    return Answer.ok("{\"Item\":{\"version\":{\"N\":\"" + version + "\"}}}");
  }

  private static Answer ttl(String description) {
    return Answer.ok("{\"TimeToLiveDescription\":" + description + "}");
  }

  private static String table(String status, String projection) {
    String indexes =
        Arrays.stream(TableIndex.values())
            .map(
                i ->
                    "{\"IndexName\":\"%s\",\"KeySchema\":%s,\"Projection\":{\"ProjectionType\":\"%s\"}}"
                        .formatted(i.indexName(), keys(i.partitionKey(), i.sortKey()), projection))
            .collect(Collectors.joining(","));
    return "{\"Table\":{\"TableName\":\"limits\",\"TableStatus\":\"%s\",\"KeySchema\":%s,\"GlobalSecondaryIndexes\":[%s]}}"
        .formatted(status, keys("PK", "SK"), indexes);
  }

  private static String keys(String partitionKey, String sortKey) {
    return "[{\"AttributeName\":\"%s\",\"KeyType\":\"HASH\"},{\"AttributeName\":\"%s\",\"KeyType\":\"RANGE\"}]"
        .formatted(partitionKey, sortKey);
  }
}
