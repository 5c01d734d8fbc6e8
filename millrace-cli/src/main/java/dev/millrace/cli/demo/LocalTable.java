package dev.millrace.cli.demo;

import dev.millrace.cli.table.Clients;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedDynamo;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table on an engine that ends with this. */
final class LocalTable implements AutoCloseable {
  static final String NAME = "limits";

  private final EmbeddedDynamo engine;
  private final DynamoDbClient client;

  private LocalTable(EmbeddedDynamo engine, DynamoDbClient client) {
    this.engine = engine;
    this.client = client;
  }

  static LocalTable create(Consumer<String> progress) {
    EmbeddedDynamo engine = EmbeddedDynamo.inMemory().onProgress(progress).start();
    LocalTable table = new LocalTable(engine, Clients.of(engine.endpoint(), null));
    try {
      TableAdmin.of(table.client, NAME).createIfMissing();
      return table;
    } catch (RuntimeException e) {
      table.close();
      throw e;
    }
  }

  DynamoStore store() {
    return DynamoStore.of(client, NAME);
  }

  @Override
  public void close() {
    try (engine;
        client) {
      // closes the client, then the engine, whatever the first throws
    }
  }
}
