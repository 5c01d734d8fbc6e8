package dev.millrace.testkit;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A store that records its calls, their answers and their cost. Safe for use by many threads. */
public final class RecordingStore implements BlockingStore, AsyncStore {
  /** A call and its answer. */
  public record Exchange(StoreCall call, StoreReply reply) {}

  private final BlockingStore blocking;
  private final AsyncStore async;
  private final List<StoreCall> calls = new ArrayList<>();
  private final List<Exchange> exchanges = new ArrayList<>();

  private RecordingStore(BlockingStore blocking, AsyncStore async) {
    this.blocking = blocking;
    this.async = async;
  }

  /** Around a store that is both. */
  public static <S extends BlockingStore & AsyncStore> RecordingStore over(S store) {
    return new RecordingStore(store, store);
  }

  /** Around the two ports of one store. */
  public static RecordingStore over(BlockingStore blocking, AsyncStore async) {
    return new RecordingStore(blocking, async);
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    asked(call);
    return answered(call, blocking.execute(call, timeoutMs));
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    asked(call);
    return async.executeAsync(call, timeoutMs).thenApply(reply -> answered(call, reply));
  }

  /** The calls in the order in which they were made, answered or not. */
  public List<StoreCall> calls() {
    synchronized (calls) {
      return List.copyOf(calls);
    }
  }

  /** The calls with their answers, in the order in which the answers came. */
  public List<Exchange> exchanges() {
    synchronized (calls) {
      return List.copyOf(exchanges);
    }
  }

  /** The answers in the order in which they came. */
  public List<StoreReply> replies() {
    return exchanges().stream().map(Exchange::reply).toList();
  }

  /** How many calls were made, answered or not. */
  public int roundTrips() {
    return roundTrips(Calls.any());
  }

  /** How many calls of one sort were made: {@code roundTrips(Calls.reads())}. */
  public int roundTrips(Predicate<? super StoreCall> matches) {
    return (int) calls().stream().filter(matches).count();
  }

  /** The units of all answers together; tells no time. */
  public Receipt spent() {
    double readUnits = 0;
    double writeUnits = 0;
    double indexWriteUnits = 0;
    for (StoreReply reply : replies()) {
      readUnits += reply.receipt().readUnits();
      writeUnits += reply.receipt().writeUnits();
      indexWriteUnits += reply.receipt().indexWriteUnits();
    }
    return new Receipt(readUnits, writeUnits, indexWriteUnits, Receipt.NO_TIME);
  }

  /** Forgets everything, so that a test counts from here. */
  public void clear() {
    synchronized (calls) {
      calls.clear();
      exchanges.clear();
    }
  }

  private void asked(StoreCall call) {
    synchronized (calls) {
      calls.add(call);
    }
  }

  private StoreReply answered(StoreCall call, StoreReply reply) {
    synchronized (calls) {
      exchanges.add(new Exchange(call, reply));
    }
    return reply;
  }
}
