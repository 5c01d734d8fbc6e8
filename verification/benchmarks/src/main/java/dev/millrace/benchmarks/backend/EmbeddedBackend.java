package dev.millrace.benchmarks.backend;

import dev.millrace.AcquireRequest;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import dev.millrace.embedded.EmbeddedDynamo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** DynamoDB Local, and clients of it: one for each process. */
final class EmbeddedBackend implements Backend {
  private static final String TABLE = "limits";

  private final EmbeddedDynamo engine;
  private final EngineClients clients;

  /** Of the first who asks, which the bare writes use too. */
  private final DynamoDbClient client;

  private boolean clientIsTaken;
  private final Deque<SdkAutoCloseable> open = new ArrayDeque<>();

  private EmbeddedBackend(EmbeddedDynamo engine) {
    this.engine = engine;
    this.clients = new EngineClients(engine.endpoint());
    this.client = keep(clients.blocking());
  }

  static EmbeddedBackend start(Consumer<String> progress) {
    EmbeddedBackend backend =
        new EmbeddedBackend(EmbeddedDynamo.inMemory().onProgress(progress).start());
    try {
      TableAdmin.of(backend.client, TABLE).createIfMissing();
      return backend;
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
  }

  @Override
  public BackendKind kind() {
    return BackendKind.EMBEDDED;
  }

  @Override
  public BlockingStore store(boolean async) {
    DynamoDbClient own = clientIsTaken ? keep(clients.blocking()) : client;
    clientIsTaken = true;
    return async ? DynamoStore.of(own, keep(clients.async()), TABLE) : DynamoStore.of(own, TABLE);
  }

  @Override
  public RawWrite rawWrite(AcquireRequest shape) {
    WritePlan.Create create = RawPlan.create(shape);
    client.putItem(PlanRequests.create(TABLE, create).build());
    UpdateItemRequest update = PlanRequests.update(TABLE, RawPlan.of(create)).build();
    return () -> client.updateItem(update);
  }

  private <C extends SdkAutoCloseable> C keep(C opened) {
    open.push(opened);
    return opened;
  }

  @Override
  public void close() {
    try (engine) {
      open.forEach(SdkAutoCloseable::close);
    }
  }
}
