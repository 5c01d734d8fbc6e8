package dev.millrace.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A conversation with a store, led by hand: look at what is asked, say what is answered. */
public final class Script<R> {
  /** The failure of every answer that does not come. */
  public static final StoreFailure LOST = new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);

  /** The failure of every call that the store puts off. */
  public static final StoreFailure SLOW_DOWN = new StoreFailure(StoreFailure.Kind.THROTTLED, null);

  /** The failure of every call whose key is used too hard. */
  public static final StoreFailure HOT_KEY = new StoreFailure(StoreFailure.Kind.HOT_KEY, null);

  /** The failure of every write that meets somebody else's transaction. */
  public static final StoreFailure CONFLICT = new StoreFailure(StoreFailure.Kind.CONFLICT, null);

  /** Most calls of a conversation that is left to a table: one that does not end is a bug. */
  private static final int MAX_CALLS = 1_000;

  private Step<R> step;

  private Script(Step<R> step) {
    this.step = step;
  }

  /** A conversation that stands at {@code step}. */
  public static <R> Script<R> of(Step<R> step) {
    return new Script<>(step);
  }

  /** Asserts that the bucket is read, and answers with {@code state}. */
  public Script<R> read(@Nullable BucketState state, long nowMs) {
    return readFails(new StoreReply.Found(state, Receipt.NONE), nowMs);
  }

  /** Asserts that the bucket is read, and answers with {@code reply}. */
  public Script<R> readFails(StoreReply reply, long nowMs) {
    assertThat(call()).isEqualTo(new StoreCall.Read(Buckets.KEY));
    return answer(reply, nowMs);
  }

  /** The plan that is asked for, by itself, which must be a {@code type}. */
  public <P extends WritePlan> P plan(Class<P> type) {
    assertThat(call()).isInstanceOf(StoreCall.Write.class);
    return plan(((StoreCall.Write) call()).plan(), type);
  }

  /** The only plan of the transaction that is asked for, which must be a {@code type}. */
  public <P extends WritePlan> P tokened(Class<P> type) {
    assertThat(transaction()).hasSize(1);
    return plan(transaction().get(0), type);
  }

  private static <P extends WritePlan> P plan(WritePlan plan, Class<P> type) {
    assertThat(plan).isInstanceOf(type);
    return type.cast(plan);
  }

  /** Asserts a transaction of one {@code type}, and lets {@code met} answer it; null for none. */
  public Script<R> commit(Class<? extends WritePlan> type, @Nullable BucketState met, long nowMs) {
    StoreReply reply = PureStore.execute(met, tokened(type));
    StoreReply.Cancelled.Cause refusal = new StoreReply.Cancelled.Cause(true, met, null);
    return answer(
        reply instanceof StoreReply.Applied
            ? new StoreReply.Committed(Receipt.NONE)
            : new StoreReply.Cancelled(List.of(refusal), Receipt.NONE),
        nowMs);
  }

  /** Asserts a transaction of one {@code type}; its answer is lost. */
  public Script<R> loseCommit(Class<? extends WritePlan> type, long nowMs) {
    tokened(type);
    return answer(new StoreReply.Unknown(LOST, Receipt.NONE), nowMs);
  }

  /** Asserts a write of {@code type}, and lets {@code met} answer it; null for no bucket. */
  public Script<R> write(Class<? extends WritePlan> type, @Nullable BucketState met, long nowMs) {
    return answer(PureStore.execute(met, plan(type)), nowMs);
  }

  /** Asserts a write of {@code type}; its answer is lost. */
  public Script<R> lose(Class<? extends WritePlan> type, long nowMs) {
    plan(type);
    return answer(new StoreReply.Unknown(LOST, Receipt.NONE), nowMs);
  }

  /** Asserts a write of {@code type}; the store puts it off. */
  public Script<R> throttle(Class<? extends WritePlan> type, long nowMs) {
    plan(type);
    return answer(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), nowMs);
  }

  /** Asserts a write of {@code type}; a transaction of somebody else is in the way. */
  public Script<R> conflict(Class<? extends WritePlan> type, long nowMs) {
    plan(type);
    return answer(new StoreReply.NotApplied(CONFLICT, Receipt.NONE), nowMs);
  }

  /** Answers the call. */
  public Script<R> answer(StoreReply reply, long nowMs) {
    return answer(List.of(reply), nowMs);
  }

  /** Answers the calls, in their order. */
  public Script<R> answer(List<StoreReply> replies, long nowMs) {
    step = ask().next().resume(replies, nowMs);
    return this;
  }

  /** Lets {@code table} answer whatever is asked. */
  public Script<R> answer(PureTable table, long nowMs) {
    return answer(calls().stream().map(table::execute).toList(), nowMs);
  }

  /** Lets {@code table} answer until the conversation is over, and tells the result. */
  public R finish(PureTable table, long nowMs) {
    for (int i = 0; i < MAX_CALLS && !isDone(); i++) {
      answer(table, nowMs);
    }
    return result();
  }

  /** Whether nothing more is asked. */
  public boolean isDone() {
    return step instanceof Step.Done;
  }

  /** The result; the conversation must be over. */
  public R result() {
    assertThat(step).isInstanceOf(Step.Done.class);
    return ((Step.Done<R>) step).result();
  }

  /** The call that is asked, which must be the only one. */
  public StoreCall call() {
    assertThat(calls()).hasSize(1);
    return calls().get(0);
  }

  /** The calls that are asked. */
  public List<StoreCall> calls() {
    return ask().calls();
  }

  /** The plans of the transaction that is asked for. */
  public List<WritePlan> transaction() {
    assertThat(call()).isInstanceOf(StoreCall.Transaction.class);
    return ((StoreCall.Transaction) call()).plans();
  }

  private Step.Ask<R> ask() {
    assertThat(step).isInstanceOf(Step.Ask.class);
    return (Step.Ask<R>) step;
  }
}
