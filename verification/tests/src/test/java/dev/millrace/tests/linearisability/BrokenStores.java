package dev.millrace.tests.linearisability;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Stores with the mistakes that the check is there to find. */
final class BrokenStores {
  private BrokenStores() {}

  /** Makes every write whatever the balance that it meets. */
  static BlockingStore withoutConditions(BlockingStore store) {
    return (call, timeoutMs) ->
        call instanceof StoreCall.Write write
            ? store.execute(new StoreCall.Write(unconditional(write.plan())), timeoutMs)
            : store.execute(call, timeoutMs);
  }

  /** A create stays one: a bucket that is there refuses it in every table. */
  private static WritePlan unconditional(WritePlan plan) {
    if (plan instanceof WritePlan.Create) {
      return plan;
    }
    if (plan instanceof WritePlan.Locked locked) {
      return new WritePlan.Adjust(
          plan.key(), free(locked.changes()), locked.expiresAtSeconds(), plan.op());
    }
    if (plan instanceof WritePlan.Consume consume) {
      return new WritePlan.Adjust(
          plan.key(), free(consume.changes()), consume.expiresAtSeconds(), plan.op());
    }
    return plan;
  }

  private static List<LimitChange> free(List<LimitChange> changes) {
    return changes.stream()
        .map(
            change ->
                LimitChange.unconditional(
                    change.name(), change.addTokensMilli(), change.addConsumedMilli()))
        .toList();
  }

  /** Answers every read with the first state that it ever read. */
  static BlockingStore withOldReads(BlockingStore store) {
    AtomicReference<StoreReply> first = new AtomicReference<>();
    return (call, timeoutMs) -> {
      StoreReply reply = store.execute(call, timeoutMs);
      if (!(reply instanceof StoreReply.Found found) || found.state() == null) {
        return reply;
      }
      first.compareAndSet(null, reply);
      return first.get();
    };
  }

  /** Makes every write twice, as one who sends again what was not lost. */
  static BlockingStore withResentWrites(BlockingStore store) {
    return (call, timeoutMs) -> {
      StoreReply reply = store.execute(call, timeoutMs);
      return call.writes() && reply instanceof StoreReply.Applied
          ? store.execute(call, timeoutMs)
          : reply;
    };
  }

  /** Tells of a write what was there before it. */
  static BlockingStore withRepliesFromBefore(BlockingStore store) {
    return (call, timeoutMs) -> {
      if (!(call instanceof StoreCall.Write write)) {
        return store.execute(call, timeoutMs);
      }
      StoreReply before = store.execute(new StoreCall.Read(write.key()), timeoutMs);
      BucketState state = before instanceof StoreReply.Found found ? found.state() : null;
      StoreReply reply = store.execute(call, timeoutMs);
      return state != null && reply instanceof StoreReply.Applied
          ? new StoreReply.Applied(state, reply.receipt())
          : reply;
    };
  }
}
