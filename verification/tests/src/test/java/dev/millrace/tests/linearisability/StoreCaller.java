package dev.millrace.tests.linearisability;

import dev.millrace.BucketKey;
import dev.millrace.client.support.Await;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.PlanGen;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.StoreSpecification;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Somebody who reads and writes one bucket, planning from what it saw last or from older states.
 */
final class StoreCaller {
  /** Ample: a busy machine is not the subject. */
  private static final long TIMEOUT_MS = 20_000;

  /** How many states it remembers. */
  private static final int MAX_SEEN = 8;

  private final CallerId who;
  private final BucketKey key;
  private final BlockingStore store;
  private final HistoryRecorder<StoreCall, StoreReply> recorder;
  private final Deque<BucketState> seen = new ArrayDeque<>();

  StoreCaller(
      CallerId who,
      BucketKey key,
      BlockingStore store,
      HistoryRecorder<StoreCall, StoreReply> recorder) {
    this.who = who;
    this.key = key;
    this.store = store;
    this.recorder = recorder;
  }

  /** An asynchronous store for one who waits. */
  static BlockingStore waiting(AsyncStore store) {
    return (call, timeoutMs) -> Await.result(store.executeAsync(call, timeoutMs));
  }

  /** So many calls: three writes for a read. */
  void run(RandomGenerator random, int calls) {
    for (int i = 0; i < calls; i++) {
      List<BucketState> history = new ArrayList<>(seen);
      ask(
          Gen.oneIn(random, 4)
              ? new StoreCall.Read(key)
              : new StoreCall.Write(PlanGen.plan(random, key, history, who + "-" + i)));
    }
  }

  void ask(StoreCall call) {
    StoreReply reply =
        recorder.record(
            who, call, () -> StoreSpecification.answer(store.execute(call, TIMEOUT_MS)));
    BucketState state = null;
    if (reply instanceof StoreReply.Found found) {
      state = found.state();
    } else if (reply instanceof StoreReply.Applied applied) {
      state = applied.state();
    } else if (reply instanceof StoreReply.Refused refused) {
      state = refused.state();
    }
    if (state != null) {
      seen.add(state);
    }
    if (seen.size() > MAX_SEEN) {
      seen.remove();
    }
  }
}
