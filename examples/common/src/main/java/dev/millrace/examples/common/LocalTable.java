package dev.millrace.examples.common;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.embedded.SharedEngine;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A table on DynamoDB Local, deleted when it is closed. The engine starts with the first table and
 * ends with the program.
 *
 * <p>An application on AWS has none of this: {@code DynamoDbClient.builder().overrideConfiguration(
 * SafeRetries::configure).build()} is its client, and the table was made by {@code ./millrace
 * deploy}.
 */
public final class LocalTable implements AutoCloseable {
  /**
   * How long to wait for the engine. Longer than the defaults: the first calls load classes, here
   * and there, and an example shall not fail because the machine is busy.
   */
  public static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final DynamoDbClient client;
  private final String name;

  private LocalTable(DynamoDbClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Makes a table called {@code name}. */
  public static LocalTable create(String name) {
    LocalTable table = new LocalTable(client(SharedEngine.endpoint()), name);
    TableAdmin.of(table.client, name).createIfMissing();
    return table;
  }

  private static DynamoDbClient client(URI endpoint) {
    return LocalClients.at(endpoint, DynamoDbClient.builder())
        // Never sends a charge again whose answer was lost: it may have been made.
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }

  /** What limiters and administrators work on. */
  public BlockingStore store() {
    return DynamoStore.of(client, name);
  }

  /** The client, for those who make a store of it themselves; closed with the table. */
  public DynamoDbClient client() {
    return client;
  }

  @Override
  public void close() {
    try (client) {
      TableAdmin.of(client, name).delete();
    } catch (SdkException e) {
      // At Ctrl-C the engine may end first, and with it all that it has in memory.
    }
  }
}
