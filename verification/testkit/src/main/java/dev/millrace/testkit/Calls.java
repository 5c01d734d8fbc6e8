package dev.millrace.testkit;

import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.util.function.Predicate;

/** Predicates on calls, for {@link FaultyStore} and {@link RecordingStore}. */
public final class Calls {
  private Calls() {}

  /** Every call. */
  public static Predicate<StoreCall> any() {
    return call -> true;
  }

  /** Reads of buckets, of one or of many. */
  public static Predicate<StoreCall> reads() {
    return call -> call instanceof StoreCall.Read || call instanceof StoreCall.ReadAll;
  }

  /** Writes of one bucket, of every kind. */
  public static Predicate<StoreCall> writes() {
    return call -> call instanceof StoreCall.Write;
  }

  /** Writes of one bucket, of one kind: {@code Calls.writes(WritePlan.Consume.class)}. */
  public static Predicate<StoreCall> writes(Class<? extends WritePlan> kind) {
    return call -> call instanceof StoreCall.Write write && kind.isInstance(write.plan());
  }

  /** Transactions, of buckets or of records. */
  public static Predicate<StoreCall> transactions() {
    return call -> call instanceof StoreCall.Transaction;
  }

  /** Lookups of records. */
  public static Predicate<StoreCall> lookups() {
    return call -> call instanceof StoreCall.Lookup;
  }

  /** Lookups in which a record is asked for, perhaps among others. */
  public static Predicate<StoreCall> lookupsOf(RecordKey key) {
    return call -> call instanceof StoreCall.Lookup lookup && lookup.keys().contains(key);
  }

  /** Pages of listings. */
  public static Predicate<StoreCall> listings() {
    return call -> call instanceof StoreCall.ListPage;
  }

  /** Erasures. */
  public static Predicate<StoreCall> erasures() {
    return call -> call instanceof StoreCall.Erase;
  }
}
