package dev.millrace.tests.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.dynamodb.internal.item.UsageCodec;
import dev.millrace.tests.support.Dynamo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Somebody has put nonsense into an item of usage: that item suffers, and nothing else. */
class CorruptUsageIT {
  private static final long AT_MS = 1_794_776_400_000L;

  private static DynamoDbClient client;
  private static String table;

  private final List<DeadLetter> letters = new ArrayList<>();

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
  }

  @AfterAll
  static void closeClient() {
    client.close();
  }

  @ParameterizedTest
  @CsvSource({
    "t_rpm,  S,  nonsense, t_rpm is not a number",
    "events, S,  nonsense, events is not a number",
    "s_0,    N,  7,        s_0 is not a text",
    "s_0,    S,  nonsense, nonsense",
    "late,   S,  nonsense, late is not a set of texts",
  })
  void process_nonsenseInOneItem_goesOnAndIsCountedOnceWhenRepaired(
      String attribute, String type, String value, String error) {
    String entity = "e-" + attribute + "-" + type;
    Aggregator aggregator = aggregator();
    assertThat(aggregator.process(List.of(record(entity, 1))).applied()).isEqualTo(1);
    Map<String, AttributeValue> whole = item(entity, Window.DAY);
    spoil(entity, attribute, type.equals("S") ? AttributeValue.fromS(value) : numbered(value));

    boolean late = attribute.equals("late"); // only what is replayed looks at it
    BatchResult result = late ? replayed(entity) : processed(entity);
    assertThat(result.isDone()).isTrue();
    assertThat(result.poison()).isEqualTo(1);
    assertThat(letters).hasSize(1);
    assertThat(letters.get(0).windows()).containsExactly(Window.DAY);
    assertThat(letters.get(0).error()).startsWith("corrupt record").contains(error);
    assertThat(milli(entity, Window.HOUR)).isEqualTo(2_000);

    repair(whole);
    assertThat(aggregator().replay(letters).applied()).isEqualTo(1);
    assertThat(aggregator().replay(letters).duplicates()).isEqualTo(1);
    for (Window window : List.of(Window.HOUR, Window.DAY, Window.MONTH)) {
      assertThat(milli(entity, window)).as(window.toString()).isEqualTo(2_000);
    }
  }

  private BatchResult processed(String entity) {
    BatchResult result =
        aggregator().process(List.of(record("other-" + entity, 1), record(entity, 2)));
    assertThat(milli("other-" + entity, Window.DAY)).isEqualTo(1_000);
    return result;
  }

  private BatchResult replayed(String entity) {
    return aggregator().replay(List.of(new DeadLetter(record(entity, 2), "why")));
  }

  /** What DynamoDB does not accept for another reason is a mistake, which nobody may overlook. */
  @Test
  void apply_tableOfSomebodyElse_throws() {
    String other = table + "-other";
    client.createTable(
        t ->
            t.tableName(other)
                .attributeDefinitions(
                    AttributeDefinition.builder().attributeName("id").attributeType("S").build())
                .keySchema(KeySchemaElement.builder().attributeName("id").keyType("HASH").build())
                .billingMode(BillingMode.PAY_PER_REQUEST));
    UsageWrite write =
        new UsageWrite(
            key("a", Window.DAY),
            Map.of("rpm", 1L),
            1,
            new UsageWrite.Late(SequenceNumber.of("1")),
            UsageWrite.NEVER);
    assertThatThrownBy(() -> DynamoUsageStore.of(client, other).apply(write))
        .isInstanceOf(LimiterConfigurationException.class);
    assertThat(DynamoUsageStore.of(client, table).apply(write))
        .isInstanceOf(UsageReply.Applied.class);
  }

  private Aggregator aggregator() {
    return Aggregator.builder(DynamoUsageStore.of(client, table), letters::addAll).build();
  }

  private static UsageKey key(String entity, Window window) {
    return UsageKey.at("default", entity, "gpt-4", window, AT_MS);
  }

  private static AttributeValue numbered(String value) {
    return AttributeValue.fromN(value);
  }

  private static Map<String, AttributeValue> item(String entity, Window window) {
    return client
        .getItem(
            g -> g.tableName(table).key(UsageCodec.key(key(entity, window))).consistentRead(true))
        .item();
  }

  private static void spoil(String entity, String attribute, AttributeValue value) {
    client.updateItem(
        u ->
            u.tableName(table)
                .key(UsageCodec.key(key(entity, Window.DAY)))
                .updateExpression("SET #a = :v")
                .expressionAttributeNames(Map.of("#a", attribute))
                .expressionAttributeValues(Map.of(":v", value)));
  }

  private static void repair(Map<String, AttributeValue> whole) {
    client.putItem(p -> p.tableName(table).item(whole));
  }

  private static long milli(String entity, Window window) {
    List<UsageItem> found = DynamoUsageStore.of(client, table).find(List.of(key(entity, window)));
    return found.isEmpty() ? 0 : found.get(0).milli("rpm");
  }

  /** The bucket has consumed {@code number} tokens by then. */
  private static StreamRecord record(String entity, int number) {
    return new StreamRecord(
        Integer.toString(number),
        AT_MS,
        number == 1 ? OperationType.INSERT : OperationType.MODIFY,
        false,
        Map.of(),
        number == 1 ? Map.of() : image(entity, number - 1),
        image(entity, number));
  }

  private static Map<String, AttributeValue> image(String entity, int tokens) {
    return Map.of(
        "PK", AttributeValue.fromS("default/BUCKET#" + entity + "#gpt-4#0"),
        "SK", AttributeValue.fromS("#STATE"),
        "entity_id", AttributeValue.fromS(entity),
        "resource", AttributeValue.fromS("gpt-4"),
        "b_rpm_tc", AttributeValue.fromN(Integer.toString(tokens * 1_000)));
  }
}
