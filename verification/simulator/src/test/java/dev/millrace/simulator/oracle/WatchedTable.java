package dev.millrace.simulator.oracle;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.simulator.oracle.TableWrite.Source;
import dev.millrace.testkit.InMemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store whose every change is told to oracles, and whose plans a mistake may spoil. */
final class WatchedTable {
  private static final long TIMEOUT_MS = 1_000;
  private static final int MAX_TOLD = 2_000;

  /** A mistake: what becomes of a plan that meets a bucket. */
  @FunctionalInterface
  interface Mistake {
    Mistake NONE = (plan, current) -> plan;

    WritePlan spoil(WritePlan plan, @Nullable BucketState current);
  }

  /**
   * Who writes, and what it may have to settle.
   *
   * @param writerMs what it took for the time when it planned
   */
  record Writer(
      String name,
      Source source,
      long writerMs,
      Map<String, Long> uncheckedMilli,
      Map<String, Long> givenBackMilli) {}

  final InMemoryStore store = new InMemoryStore();

  /** Is told all there is to know of a write. */
  private final TableOracle frank = oracle();

  /** Is told the states and what may be charged unchecked. */
  private final TableOracle curt = oracle();

  private final Mistake mistake;
  private final List<TableWrite> told = new ArrayList<>();
  private long writes;

  WatchedTable(Mistake mistake) {
    this.mistake = mistake;
  }

  private static TableOracle oracle() {
    return new TableOracle(PlanSettings.DEFAULT.grainMs(), PlanSettings.DEFAULT.maxSkewMs());
  }

  /** The first writes, as they were told. */
  List<TableWrite> told() {
    return told;
  }

  double worstBurst() {
    return frank.worstBurst();
  }

  long writes() {
    return writes;
  }

  StoreReply execute(StoreCall call, Writer writer, long atMicros) {
    if (call instanceof StoreCall.Write write) {
      BucketState before = store.snapshot(write.plan().key());
      WritePlan plan = mistake.spoil(write.plan(), before);
      StoreReply reply = store.execute(new StoreCall.Write(plan), TIMEOUT_MS);
      tell(plan.key(), before, writer, /* alone= */ true, atMicros);
      return reply;
    }
    if (call instanceof StoreCall.Transaction transaction) {
      Map<BucketKey, BucketState> before = new HashMap<>();
      List<WritePlan> plans = new ArrayList<>();
      for (WritePlan plan : transaction.plans()) {
        BucketState state = store.snapshot(plan.key());
        if (state != null) {
          before.put(plan.key(), state);
        }
        plans.add(mistake.spoil(plan, state));
      }
      StoreReply reply =
          store.execute(
              new StoreCall.Transaction(plans, transaction.changes(), transaction.token()),
              TIMEOUT_MS);
      for (WritePlan plan : plans) {
        tell(plan.key(), before.get(plan.key()), writer, /* alone= */ false, atMicros);
      }
      return reply;
    }
    return store.execute(call, TIMEOUT_MS);
  }

  /** Forgets a bucket, by expiry or by an operator's hand. */
  void remove(BucketKey key, Source source, long atMicros) {
    BucketState before = store.snapshot(key);
    if (store.remove(key)) {
      Writer nobody = new Writer("table", source, atMicros / 1_000, Map.of(), Map.of());
      tell(key, before, nobody, /* alone= */ true, atMicros);
    }
  }

  @SuppressWarnings("ReferenceEquality") // another state, be it an equal one, is a write
  private void tell(
      BucketKey key, @Nullable BucketState before, Writer by, boolean alone, long atMicros) {
    BucketState after = store.snapshot(key);
    if (after == before) {
      return;
    }
    writes++;
    curt.wrote(
        new TableWrite(
            atMicros,
            by.name(),
            by.source(),
            key,
            before,
            after,
            by.writerMs(),
            by.uncheckedMilli()));
    TableWrite write =
        new TableWrite(
            atMicros,
            by.name(),
            by.source(),
            key,
            before,
            after,
            by.writerMs(),
            by.uncheckedMilli(),
            by.givenBackMilli(),
            alone);
    if (told.size() < MAX_TOLD) {
      told.add(write);
    }
    frank.wrote(write);
  }
}
