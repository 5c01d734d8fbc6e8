package dev.millrace.dynamodb.admin;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.SchemaMismatchException;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.waiters.WaiterOverrideConfiguration;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * Makes, checks and deletes the table. Called by people and by set-up, never on the way of an
 * acquire; what the SDK throws here is thrown as it is.
 */
public final class TableAdmin {
  /** Longest time to wait for a table to be ready or gone. */
  public static final Duration MAX_WAIT = Duration.ofMinutes(5);

  private static final Duration FIRST_POLL = Duration.ofMillis(100);
  private static final Duration SLOWEST_POLL = Duration.ofSeconds(5);

  /** More polls than fit into {@link #MAX_WAIT}: time is what ends the waiting. */
  private static final int MAX_POLLS = 1_000;

  private static final WaiterOverrideConfiguration WAIT =
      WaiterOverrideConfiguration.builder()
          .waitTimeout(MAX_WAIT)
          .maxAttempts(MAX_POLLS)
          .backoffStrategyV2(BackoffStrategy.exponentialDelay(FIRST_POLL, SLOWEST_POLL))
          .build();

  /** How many items are looked at for an older schema. */
  private static final int MAX_PEEK = 1_000;

  private final DynamoDbClient client;
  private final String table;

  private TableAdmin(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
  }

  /** The administration of {@code table}. Nothing is sent yet. */
  public static TableAdmin of(DynamoDbClient client, String table) {
    return new TableAdmin(client, table);
  }

  /** Whether there is a table of that name, ready or not, usable or not. */
  public boolean exists() {
    return describe() != null;
  }

  /**
   * Makes the table when it is missing, waits until it is ready, checks that it is usable, and lets
   * DynamoDB delete what has expired. A table without a schema version gets today's, unless it
   * holds buckets of an older one. May be called by many at once, and again.
   *
   * @return whether this call made it
   * @throws SchemaMismatchException when a table of that name is not usable, or newer than this
   *     software
   */
  public boolean createIfMissing() {
    boolean created = describe() == null && create();
    waitUntil("ready", waiter -> waiter.waitUntilTableExists(request(), WAIT));
    SchemaRecord schema = check();
    enableTimeToLive();
    if (schema == null) {
      if (!created) {
        requireNothingOlder();
      }
      writeSchema();
    }
    return created;
  }

  /**
   * A table of another origin may hold buckets of an older schema. To record that there are none
   * would forget their balances. One page is enough to recognise such a table.
   */
  private void requireNothingOlder() {
    ScanResponse page =
        client.scan(
            r ->
                r.tableName(table)
                    .limit(MAX_PEEK)
                    .filterExpression("begins_with(" + Attributes.SK + ", :buckets)")
                    .expressionAttributeValues(
                        Map.of(":buckets", AttributeValue.fromS(OldBucketAddress.BUCKETS))));
    if (page.hasItems() && !page.items().isEmpty()) {
      throw TableCheck.older(table);
    }
  }

  /**
   * Checks the keys and indexes of the table, and that this software knows its schema.
   *
   * @throws SchemaMismatchException when it has not; it says what is wrong and what to do
   */
  public void verify() {
    SchemaRecord unused = check();
  }

  /** The version of the table, null when it does not say. */
  private @Nullable SchemaRecord check() {
    TableCheck.check(client.describeTable(request()).table());
    SchemaRecord schema = schema();
    if (schema != null) {
      TableCheck.checkSchema(table, schema);
    }
    return schema;
  }

  private @Nullable SchemaRecord schema() {
    RecordKey key = new RecordKey.Schema();
    GetItemResponse found =
        client.getItem(r -> r.tableName(table).key(RecordCodec.key(key)).consistentRead(true));
    return found.hasItem() ? (SchemaRecord) RecordCodec.decode(key, found.item()) : null;
  }

  private void writeSchema() {
    SchemaRecord ours = new SchemaRecord(SchemaRecord.SUPPORTED);
    try {
      client.putItem(
          r ->
              r.tableName(table)
                  .item(RecordCodec.encode(ours))
                  .conditionExpression("attribute_not_exists(" + Attributes.PK + ")"));
    } catch (ConditionalCheckFailedException e) {
      SchemaRecord theirs = check(); // another process was faster, perhaps a newer one
      if (theirs == null) {
        throw e;
      }
    }
  }

  /**
   * Deletes the table with everything in it and waits until it is gone.
   *
   * @return whether there was one
   */
  public boolean delete() {
    try {
      client.deleteTable(r -> r.tableName(table));
    } catch (ResourceNotFoundException e) {
      return false;
    }
    waitUntil("gone", waiter -> waiter.waitUntilTableNotExists(request(), WAIT));
    return true;
  }

  private boolean create() {
    try {
      client.createTable(TableDefinition.create(table));
      return true;
    } catch (ResourceInUseException e) {
      return false; // another process is making it
    }
  }

  private void enableTimeToLive() {
    TimeToLiveDescription now =
        client.describeTimeToLive(r -> r.tableName(table)).timeToLiveDescription();
    boolean on =
        now != null
            && (now.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || now.timeToLiveStatus() == TimeToLiveStatus.ENABLING);
    if (on) {
      TableCheck.checkTimeToLive(table, now.attributeName());
    } else {
      client.updateTimeToLive(TableDefinition.timeToLive(table));
    }
  }

  private @Nullable TableDescription describe() {
    try {
      return client.describeTable(request()).table();
    } catch (ResourceNotFoundException e) {
      return null;
    }
  }

  private DescribeTableRequest request() {
    return DescribeTableRequest.builder().tableName(table).build();
  }

  private void waitUntil(String state, Consumer<DynamoDbWaiter> wait) {
    try (DynamoDbWaiter waiter = client.waiter()) {
      wait.accept(waiter);
    } catch (SdkClientException e) {
      throw new LimiterUnavailableException(
          "the table did not get ready or did not go in time",
          Map.of("table", table, "expected", state, "waited", MAX_WAIT),
          e);
    }
  }
}
