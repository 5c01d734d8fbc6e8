package dev.millrace.testkit;

import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.StoreCall;
import java.util.function.Predicate;

/** Which calls: predicates for {@link FaultyStore} and {@link RecordingStore}. */
public final class Calls {
  private Calls() {}

  /** Every call. */
  public static Predicate<StoreCall> any() {
    return call -> true;
  }

  /** Reads. */
  public static Predicate<StoreCall> reads() {
    return call -> call instanceof StoreCall.Read;
  }

  /** Writes of every kind. */
  public static Predicate<StoreCall> writes() {
    return call -> call instanceof StoreCall.Write;
  }

  /** Writes of one kind: {@code Calls.writes(WritePlan.Consume.class)}. */
  public static Predicate<StoreCall> writes(Class<? extends WritePlan> kind) {
    return call -> call instanceof StoreCall.Write write && kind.isInstance(write.plan());
  }
}
