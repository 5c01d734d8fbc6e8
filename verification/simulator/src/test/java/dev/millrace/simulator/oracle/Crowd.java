package dev.millrace.simulator.oracle;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.ApplyConfigProtocol;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitProtocol;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.internal.protocol.TransactionProtocol;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.OperatorWrites;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.simulator.oracle.TableWrite.Source;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Several processes with clocks of their own that hold the real conversations about a few buckets,
 * one call at a time in any order: acquires, settlements, transactions, changed limits, operators'
 * gifts, lost answers, expiry. An oracle watches the table.
 */
final class Crowd {
  private static final long START_MS = 1_700_000_000_123L;
  private static final StoreFailure LOST = new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);
  private static final StoreFailure CONFLICT = new StoreFailure(StoreFailure.Kind.CONFLICT, null);

  /** What a clock that was set wrongly is off by; mostly not at all. */
  private static final List<Long> WILD_MS = List.of(3_600_000L, -7_200_000L, 0L, 0L, 0L, 0L);

  private final RandomGenerator random;
  private final WatchedTable table;
  private final List<BucketKey> keys;
  private final List<EffectiveLimits> history = new ArrayList<>();
  private final List<Client> processes = new ArrayList<>();

  /** Whether the limits come with the calls, and may differ from process to process. */
  private final boolean ofCalls;

  private final long busyMicros;
  private long nowMicros = START_MS * 1_000;
  private long ops;

  Crowd(RandomGenerator random, WatchedTable table) {
    this.random = random;
    this.table = table;
    this.ofCalls = random.nextBoolean();
    this.busyMicros = Gen.oneOf(random, List.of(300L, 3_000L, 30_000L, 1_000_000L));
    this.keys =
        List.of(BucketKey.first("test", "a", "gpt-4"), BucketKey.first("test", "b", "gpt-4"));
    history.add(terms());
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      processes.add(new Client("p" + i));
    }
  }

  /** Lets so many calls happen. */
  void run(int calls) {
    for (int i = 0; i < calls; i++) {
      nowMicros += random.nextLong(busyMicros);
      if (Gen.oneIn(random, 400)) {
        nowMicros += Gen.magnitude(random, 1, 20_000_000_000L);
      }
      if (Gen.oneIn(random, 100)) {
        disturb();
      }
      Gen.oneOf(random, processes).advance();
    }
  }

  private void disturb() {
    BucketKey key = Gen.oneOf(random, keys);
    BucketState state = table.store.snapshot(key);
    switch (random.nextInt(6)) {
      case 0 -> history.add(terms());
      case 1 -> table.remove(key, Source.ERASE, nowMicros);
      case 2, 3 -> expire();
      case 4 -> Gen.oneOf(random, processes).setClock();
      default -> {
        if (state != null) {
          gift(state);
        }
      }
    }
  }

  private void expire() {
    for (BucketKey key : keys) {
      BucketState state = table.store.snapshot(key);
      if (state != null
          && state.expiresAtSeconds() != BucketState.NEVER
          && state.expiresAtSeconds() < nowMicros / 1_000_000) {
        table.remove(key, Source.EXPIRY, nowMicros);
      }
    }
  }

  private void gift(BucketState state) {
    long operatorMs = nowMicros / 1_000 + random.nextLong(-500, 500);
    String op = op();
    WritePlan plan;
    if (random.nextBoolean()) {
      plan = OperatorWrites.reset(state, operatorMs, PlanSettings.DEFAULT, op);
    } else {
      LimitState limit = Gen.oneOf(random, state.limits());
      Map<String, Long> milli = Map.of(limit.name(), Gen.amountMilli(random, limit.limit()));
      plan = OperatorWrites.topUp(state, milli, operatorMs, PlanSettings.DEFAULT, op);
    }
    WatchedTable.Writer operator =
        new WatchedTable.Writer("operator", Source.OPERATOR, operatorMs, Map.of(), Map.of());
    StoreCall call =
        random.nextBoolean()
            ? new StoreCall.Write(plan)
            : new StoreCall.Transaction(List.of(plan), List.of(), op());
    // Others may be faster.
    Gen.oneOf(random, processes).advance();
    table.execute(call, operator, nowMicros);
  }

  private EffectiveLimits terms() {
    int version = history.size() + 1;
    List<Limit> limits = new ArrayList<>();
    limits.add(limit("rpm"));
    if (random.nextBoolean()) {
      limits.add(Gen.oneIn(random, 3) ? limit("tpm").asSoft() : limit("tpm"));
    }
    if (Gen.oneIn(random, 3)) {
      limits.add(limit("zpm"));
    }
    ConfigLevel level =
        ofCalls
            ? ConfigLevel.CALL
            : Gen.oneOf(random, List.of(ConfigLevel.RESOURCE, ConfigLevel.ENTITY_RESOURCE));
    boolean disabled = Gen.oneIn(random, 8);
    return new EffectiveLimits(
        LimitSet.of(limits),
        ofCalls
            ? ConfigStamp.CALL
            : new ConfigStamp(level, RecordVersions.of(ConfigLevel.SYSTEM, version), disabled));
  }

  private Limit limit(String name) {
    long refill = Gen.oneOf(random, List.of(7L, 60L, 1_000L, 77_777L));
    long periodMs = Gen.oneOf(random, List.of(997L, 1_000L, 60_000L, 3_600_000L));
    long burst = Math.max(1, refill * (1 + random.nextInt(4)) / 3);
    return new Limit(
        name, burst * Limit.MILLI, burst * Limit.MILLI, Refill.of(refill * Limit.MILLI, periodMs));
  }

  private String op() {
    return "op" + ops++;
  }

  /** A process: at most one conversation at a time. */
  private final class Client {
    private final String name;
    private final Map<BucketKey, BucketSnapshot> mirror = new HashMap<>();
    private final Map<String, Long> uncheckedMilli = new HashMap<>();
    private final Map<String, Long> givenBackMilli = new HashMap<>();

    /** What was acquired and not given back, by bucket and limit. */
    private final Map<String, Long> heldMilli = new HashMap<>();

    private Source source = Source.CLIENT;
    private int known;
    private long offsetMs;
    private long plannedMs;
    private @Nullable Step<Runnable> step;

    Client(String name) {
      this.name = name;
      setClock();
    }

    void setClock() {
      offsetMs =
          switch (random.nextInt(10)) {
            case 0 -> random.nextLong(-5_000, 5_000);
            case 1 -> Gen.oneOf(random, WILD_MS);
            default -> random.nextLong(-300, 300);
          };
    }

    private long nowMs() {
      return Math.floorDiv(nowMicros, 1_000) + offsetMs;
    }

    void advance() {
      if (step == null) {
        begin();
      }
      if (step instanceof Step.Ask<Runnable> ask) {
        List<StoreReply> replies = new ArrayList<>();
        for (StoreCall call : ask.calls()) {
          replies.add(answer(call));
        }
        plannedMs = nowMs();
        step = ask.next().resume(replies, plannedMs);
      }
      if (step instanceof Step.Done<Runnable> done) {
        step = null;
        done.result().run();
      }
    }

    private StoreReply answer(StoreCall call) {
      if (call.writes() && Gen.oneIn(random, 40)) {
        return new StoreReply.NotApplied(CONFLICT, Receipt.NONE);
      }
      boolean lost = Gen.oneIn(random, 40);
      if (lost && random.nextBoolean()) {
        return new StoreReply.Unknown(LOST, Receipt.NONE);
      }
      WatchedTable.Writer writer =
          new WatchedTable.Writer(
              name, source, plannedMs, Map.copyOf(uncheckedMilli), Map.copyOf(givenBackMilli));
      StoreReply reply = table.execute(call, writer, nowMicros);
      return lost ? new StoreReply.Unknown(LOST, Receipt.NONE) : reply;
    }

    private void begin() {
      uncheckedMilli.clear();
      givenBackMilli.clear();
      source = Source.CLIENT;
      plannedMs = nowMs();
      if (Gen.oneIn(random, 10)) {
        known = random.nextInt(history.size());
      }
      EffectiveLimits terms = history.get(known);
      step =
          switch (random.nextInt(12)) {
            case 0 -> refresh();
            case 1 -> joint(terms);
            default -> commit(terms);
          };
    }

    private Step<Runnable> refresh() {
      if (ofCalls) {
        return commit(history.get(known));
      }
      source = Source.OPERATOR;
      known = history.size() - 1;
      ApplyConfigProtocol refresh =
          new ApplyConfigProtocol(
              Gen.oneOf(random, keys), history.get(known), PlanSettings.DEFAULT, Crowd.this::op);
      return Step.map(refresh.start(null, plannedMs), result -> () -> {});
    }

    private Step<Runnable> commit(EffectiveLimits terms) {
      BucketKey key = Gen.oneOf(random, keys);
      List<BucketDemand> demands = new ArrayList<>();
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        demands.add(demand(key, terms));
      }
      CommitProtocol commit =
          new CommitProtocol(
              key,
              terms,
              /* mayCreate= */ ofCalls || known == history.size() - 1,
              demands,
              PlanSettings.DEFAULT,
              Crowd.this::op);
      return Step.map(
          commit.start(mirror.get(key), plannedMs),
          result ->
              () -> {
                saw(key, result.snapshot());
                known = history.size() - 1;
                for (int i = 0; i < demands.size(); i++) {
                  if (result.outcomes().get(i) instanceof CommitResult.Outcome.Admitted) {
                    hold(key, demands.get(i).amounts());
                  }
                }
              });
    }

    private void hold(BucketKey key, Amounts amounts) {
      for (int i = 0; i < amounts.limits().size(); i++) {
        String limit = key.entityId() + "/" + amounts.limits().get(i).name();
        heldMilli.merge(limit, amounts.milli(i), Long::sum);
      }
    }

    /** Charges something, or gives back some of what was acquired. */
    private Amounts settlement(BucketKey key, LimitSet limits) {
      long[] milli = new long[limits.size()];
      for (int i = 0; i < milli.length; i++) {
        String limit = limits.get(i).name();
        String held = key.entityId() + "/" + limit;
        if (random.nextBoolean()) {
          milli[i] = -Gen.magnitude(random, 0, heldMilli.getOrDefault(held, 0L));
          heldMilli.merge(held, milli[i], Long::sum);
          givenBackMilli.merge(limit, -milli[i], Long::sum);
        } else {
          milli[i] = Gen.amountMilli(random, limits.get(i));
          uncheckedMilli.merge(limit, milli[i], Long::sum);
        }
      }
      return Amounts.ofMilli(limits, milli);
    }

    private BucketDemand demand(BucketKey key, EffectiveLimits terms) {
      if (Gen.oneIn(random, 4)) {
        return BucketDemand.settle(settlement(key, terms.limits()));
      }
      Amounts amounts = small(terms.limits());
      return Gen.oneIn(random, 6)
          ? BucketDemand.prefetch(amounts, small(terms.limits()))
          : BucketDemand.acquire(amounts);
    }

    /** A part of the ceiling, so that some fit. */
    private Amounts small(LimitSet limits) {
      long[] milli = new long[limits.size()];
      for (int i = 0; i < milli.length; i++) {
        milli[i] =
            random.nextBoolean()
                ? Gen.magnitude(random, 0, limits.get(i).burstMilli())
                : random.nextLong(limits.get(i).burstMilli() / 10 + 1);
      }
      return Amounts.ofMilli(limits, milli);
    }

    private Step<Runnable> joint(EffectiveLimits terms) {
      List<TransactionProtocol.Part> parts = new ArrayList<>();
      List<@Nullable BucketSnapshot> seen = new ArrayList<>();
      for (BucketKey key : keys) {
        parts.add(
            new TransactionProtocol.Part(
                key, terms, small(terms.limits()), ofCalls || known == history.size() - 1));
        seen.add(mirror.get(key));
      }
      TransactionProtocol commit =
          new TransactionProtocol(parts, PlanSettings.DEFAULT, Crowd.this::op);
      return Step.map(
          commit.start(seen, plannedMs),
          result ->
              () -> {
                for (int i = 0; i < parts.size(); i++) {
                  saw(parts.get(i).key(), result.snapshots().get(i));
                }
              });
    }

    private void saw(BucketKey key, @Nullable BucketSnapshot snapshot) {
      if (snapshot != null) {
        mirror.merge(
            key, snapshot, (a, b) -> BucketSnapshot.later(a, b, PlanSettings.DEFAULT.maxSkewMs()));
      }
    }
  }
}
