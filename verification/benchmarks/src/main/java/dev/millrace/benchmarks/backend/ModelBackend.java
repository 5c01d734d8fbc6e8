package dev.millrace.benchmarks.backend;

import dev.millrace.AcquireRequest;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.internal.model.ModelStore;
import java.time.Duration;

/** The test kit's model of DynamoDB. */
final class ModelBackend implements Backend {
  private final ModelStore store;

  ModelBackend(Duration roundTrip, ModelTraits traits) {
    this.store =
        traits.conflicts()
            ? ModelStore.withConflicts(roundTrip, traits.partition())
            : ModelStore.of(roundTrip, traits.partition());
  }

  @Override
  public BackendKind kind() {
    return BackendKind.MODEL;
  }

  @Override
  public BlockingStore store(boolean async) {
    return store;
  }

  @Override
  public RawWrite rawWrite(AcquireRequest shape) {
    WritePlan.Create create = RawPlan.create(shape);
    send(create);
    WritePlan.Locked plan = RawPlan.of(create);
    return () -> send(plan);
  }

  private void send(WritePlan plan) {
    StoreReply reply = store.execute(new StoreCall.Write(plan), Long.MAX_VALUE);
    if (!(reply instanceof StoreReply.Applied)) {
      throw new IllegalStateException("a bare write was answered with " + reply);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
