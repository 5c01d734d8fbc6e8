package dev.millrace.benchmarks.backend;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedDynamo;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local with a table, for stores that reach it by a detour. */
public final class EngineAtGate implements AutoCloseable {
  private static final String TABLE = "limits";

  private final EmbeddedDynamo engine;
  private final Deque<DynamoDbClient> clients = new ArrayDeque<>();

  private EngineAtGate(EmbeddedDynamo engine) {
    this.engine = engine;
  }

  /** Starts it, and makes the table. */
  public static EngineAtGate start(Consumer<String> progress) {
    EngineAtGate started = new EngineAtGate(EmbeddedDynamo.inMemory().onProgress(progress).start());
    try {
      TableAdmin.of(started.clientAt(started.endpoint()), TABLE).createIfMissing();
      return started;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /** Where it listens. */
  public URI endpoint() {
    return engine.endpoint();
  }

  /** The table as it is reached at {@code endpoint}. */
  public BlockingStore storeAt(URI endpoint) {
    return DynamoStore.of(clientAt(endpoint), TABLE);
  }

  private DynamoDbClient clientAt(URI endpoint) {
    DynamoDbClient client = new EngineClients(endpoint).blocking();
    clients.push(client);
    return client;
  }

  @Override
  public void close() {
    try (engine) {
      clients.forEach(DynamoDbClient::close);
    }
  }
}
