package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.ShardBooks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One bucket that is split, merged, resized, claimed, consumed, settled and given other limits, in
 * any order, by writers whose copies are often stale. The books are checked after every write.
 */
final class ShardHistory {
  private static final int MAX_LEVEL = 64;

  private static final ConfigStamp FIRST =
      new ConfigStamp(
          ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 1), /* disabled= */ false);

  /** How many of the states that a shard once had are remembered. */
  private static final int COPIES = 6;

  private final Gen gen;
  private final boolean charges;
  private final boolean changesLimits;
  private boolean skewed = false;
  private final NavigableMap<Integer, BucketState> table = new TreeMap<>();
  private final Map<Integer, List<BucketState>> copies = new HashMap<>();

  /** How many writes of which kind were made or refused. */
  final Map<String, Integer> counts = new HashMap<>();

  private EffectiveLimits terms;
  private long nowMs = T;
  private int lastOp;

  /**
   * A history that has not begun.
   *
   * @param charges whether settlements charge too: only then may a balance be below zero
   * @param changesLimits whether limits change on the way
   */
  ShardHistory(Gen gen, boolean charges, boolean changesLimits) {
    this(gen, terms(gen, 1), charges, changesLimits);
    List<LimitState> limits = new ArrayList<>();
    for (Limit limit : terms.limits()) {
      limits.add(new LimitState(limit, gen.between(0, limit.burstMilli()), 0));
    }
    begin(limits);
  }

  /** A history without disturbances, from these balances on. */
  ShardHistory(Gen gen, LimitState... limits) {
    this(
        gen,
        new EffectiveLimits(
            LimitSet.of(Arrays.stream(limits).map(LimitState::limit).toList()), FIRST),
        /* charges= */ false,
        /* changesLimits= */ false);
    begin(List.of(limits));
  }

  private ShardHistory(Gen gen, EffectiveLimits terms, boolean charges, boolean changesLimits) {
    this.gen = gen;
    this.terms = terms;
    this.charges = charges;
    this.changesLimits = changesLimits;
  }

  private void begin(List<LimitState> limits) {
    BucketState first = new BucketState(KEY, T, limits, BucketState.NEVER, nextOp(), terms.stamp());
    table.put(0, first);
    remember(0);
  }

  private static EffectiveLimits terms(Gen gen, long version) {
    long capacityMilli = gen.scaled(1_000_000);
    Limit a = new Limit("a", capacityMilli, capacityMilli + gen.between(0, 999), gen.refill());
    Limit b = Limit.perMinute("b", gen.scaled(1_000));
    ConfigStamp stamp =
        new ConfigStamp(
            ConfigLevel.RESOURCE,
            RecordVersions.of(ConfigLevel.SYSTEM, version),
            /* disabled= */ false);
    return new EffectiveLimits(LimitSet.of(a, b), stamp);
  }

  void run(int writes) {
    skewed = true;
    for (int i = 0; i < writes; i++) {
      nowMs += gen.oneIn(3) ? 0 : gen.scaled(gen.oneIn(20) ? 100_000 : 500);
      switch ((int) gen.between(0, 9)) {
        case 0, 1 -> split();
        case 2, 3, 4 -> merge();
        case 5 -> settle();
        case 6 -> resize();
        default -> acquire();
      }
      ShardBooks.checkPartition(shards());
    }
  }

  /** Splits and merges alone, while time passes. */
  void splitAndMerge(int writes) {
    for (int i = 0; i < writes; i++) {
      nowMs += gen.scaled(500);
      if (gen.oneIn(2)) {
        split();
      } else {
        merge();
      }
    }
  }

  /**
   * Splits every shard until there are so many, merges all, and tells what is left. In between time
   * passes, and somebody claims and takes something.
   */
  BucketState thereAndBack(int count, long mostStepMs) {
    for (int level = 1; level < count; level *= 2) {
      for (int shard = 0; shard < level; shard++) {
        require(make("split", splitOf(get(shard))));
        disturb(mostStepMs);
      }
    }
    for (int level = count; level > 1; level /= 2) {
      for (int shard = 0; shard < level / 2; shard++) {
        BucketState child = get(shard + level / 2);
        require(make("merge", Objects.requireNonNull(mergeOf(get(shard), child))));
        disturb(mostStepMs);
      }
    }
    return get(0);
  }

  private void disturb(long mostStepMs) {
    ShardBooks.checkPartition(shards());
    if (mostStepMs > 0) {
      nowMs += gen.between(0, mostStepMs);
      BucketState shard = gen.pick(shards());
      BucketView view = project(shard);
      view.take(some(view));
      require(write(WritePlanner.locked(view, /* contended= */ false, nextOp())));
    }
  }

  List<BucketState> shards() {
    return List.copyOf(table.values());
  }

  long nowMs() {
    return nowMs;
  }

  private void split() {
    BucketState parent = copy();
    if (parent.division().level() == MAX_LEVEL) {
      return;
    }
    List<BucketState> before = shards();
    BucketState met = table.get(parent.key().shard());
    if (make("split", splitOf(parent))) {
      boolean asPlanned = met != null && met.limits().equals(parent.limits());
      long laterMs = latestMs() + gen.scaled(100_000);
      ShardBooks.checkSplit(before, shards(), asPlanned, laterMs);
      ShardBooks.checkEstate(before, shards(), /* mayClip= */ false, laterMs);
      require(!make("split", splitOf(parent))); // who comes second
      counts.merge("racer refused", 1, Integer::sum);
    }
  }

  private List<WritePlan> splitOf(BucketState parent) {
    return ShardWrites.split(parent, get(0).shardCount(), WriteUnits.DYNAMODB, this::nextOp);
  }

  private void merge() {
    BucketState parent = copy();
    int half = parent.division().level() / 2;
    if (parent.key().shard() >= half) {
      return;
    }
    BucketState child = copyOf(parent.key().shard() + half);
    if (child == null || child.division().level() != parent.division().level()) {
      return;
    }
    List<WritePlan> writes = mergeOf(parent, child);
    List<BucketState> before = shards();
    BucketState met = table.get(parent.key().shard());
    if (writes == null || met == null || !make("merge", writes)) {
      return;
    }
    BucketState after = get(parent.key().shard());
    checkMergedBalances(parent, met, child, after);
    if (ShardBooks.agree(before)) {
      ShardBooks.checkMerge(
          before,
          shards(),
          name -> limit(met, name).tokensMilli() - limit(parent, name).tokensMilli(),
          after.refilledAtMs());
      long laterMs = latestMs() + gen.scaled(100_000);
      ShardBooks.checkEstate(before, shards(), /* mayClip= */ true, laterMs);
    }
  }

  private @Nullable List<WritePlan> mergeOf(BucketState parent, BucketState child) {
    return ShardWrites.merge(parent, child, clockMs(), PlanSettings.DEFAULT, this::nextOp);
  }

  /** Each claims to the same instant by its own parameters; the child's is cut to the parent's. */
  private static void checkMergedBalances(
      BucketState parent, BucketState met, BucketState child, BucketState after) {
    for (LimitState read : parent.limits()) {
      LimitState gone = limit(child, read.name());
      long toMs = after.refilledAtMs();
      long earnedMilli =
          read.balanceMilli(parent.share(), parent.refilledAtMs(), toMs) - read.tokensMilli();
      long broughtMilli =
          Math.min(
              gone.balanceMilli(child.share(), child.refilledAtMs(), toMs),
              child.share().partOf(read.limit().burstMilli()));
      LimitState found = limit(met, read.name());
      require(
          limit(after, read.name())
              .equals(
                  new LimitState(
                      read.limit(),
                      found.tokensMilli() + earnedMilli + broughtMilli,
                      found.consumedMilli() + gone.consumedMilli())));
    }
  }

  private void resize() {
    BucketState first = copyOf(0);
    int count = 1 << gen.between(0, 6);
    if (first != null) {
      write(new WritePlan.Resize(KEY, first.shardCount(), count, 0, nextOp()));
    }
  }

  /** Gives back something, or charges it where that is part of the history. */
  private void settle() {
    BucketState shard = copy();
    List<LimitChange> changes = new ArrayList<>();
    for (LimitState limit : shard.limits()) {
      long milli = gen.scaled(Math.max(1, limit.limit().burstMilli() / 3));
      long takenMilli = charges && gen.oneIn(2) ? milli : -milli;
      changes.add(LimitChange.unconditional(limit.name(), -takenMilli, takenMilli));
    }
    List<BucketState> before = shards();
    if (write(new WritePlan.Adjust(shard.key(), changes, BucketState.NEVER, nextOp()))) {
      ShardBooks.checkEstate(before, shards(), /* mayClip= */ false, latestMs() + 1_000);
    }
  }

  private void acquire() {
    if (changesLimits && gen.oneIn(30)) {
      terms = terms(gen, terms.stamp().versions().system() + 1);
    }
    BucketState shard = copy();
    BucketView view = project(shard);
    view.take(some(view));
    WritePlan plan = WritePlanner.write(view, gen.oneIn(2), PlanSettings.DEFAULT, nextOp());
    List<BucketState> before = shards();
    BucketState met = table.get(shard.key().shard());
    boolean agreed = ShardBooks.agree(before);
    if (write(plan)) {
      require(met != null && met.division().level() == shard.division().level());
      boolean locked = plan instanceof WritePlan.Locked;
      require(!locked || Objects.requireNonNull(met).refilledAtMs() == shard.refilledAtMs());
      boolean changed = plan instanceof WritePlan.Locked it && it.parameters().changesLimits();
      if (agreed && !changed) {
        ShardBooks.checkEstate(before, shards(), locked, latestMs() + gen.scaled(100_000));
      }
      if (!charges) {
        shards().forEach(each -> each.limits().forEach(it -> require(it.tokensMilli() >= 0)));
      }
    }
  }

  /** Some of what fits. */
  private Amounts some(BucketView view) {
    long[] milli = new long[terms.limits().size()];
    for (int i = 0; i < milli.length; i++) {
      long mostMilli = Math.max(0, view.balanceMilli(i));
      milli[i] = mostMilli == 0 || gen.oneIn(3) ? 0 : gen.scaled(mostMilli);
    }
    return Amounts.ofMilli(terms.limits(), milli);
  }

  private BucketView project(BucketState shard) {
    return BucketView.of(shard, terms, clockMs(), PlanSettings.DEFAULT.maxSkewMs());
  }

  /** The clock of some process: a little off once in a while. */
  private long clockMs() {
    return skewed && gen.oneIn(8) ? nowMs + gen.between(-2_000, 2_000) : nowMs;
  }

  /** A shard, mostly as it is, often as it was, sometimes one that is gone. */
  private BucketState copy() {
    List<Integer> shards = List.copyOf(gen.oneIn(8) ? copies.keySet() : table.keySet());
    return Objects.requireNonNull(copyOf(gen.pick(shards)));
  }

  private @Nullable BucketState copyOf(int shard) {
    List<BucketState> known = copies.get(shard);
    if (known == null) {
      return null;
    }
    return gen.oneIn(3) ? gen.pick(known) : known.get(known.size() - 1);
  }

  /** Makes all of the writes or none; whether they were made. */
  private boolean make(String kind, List<WritePlan> writes) {
    boolean made = true;
    for (WritePlan write : writes) {
      made &= PlanEffect.accepts(table.get(write.key().shard()), write);
    }
    for (WritePlan write : made ? writes : List.<WritePlan>of()) {
      int shard = write.key().shard();
      table.compute(shard, (key, met) -> PlanEffect.apply(met, write));
      remember(shard);
    }
    counts.merge(kind + (made ? " made" : " refused"), 1, Integer::sum);
    return made;
  }

  private boolean write(WritePlan plan) {
    return make(plan.getClass().getSimpleName().toLowerCase(Locale.ROOT), List.of(plan));
  }

  private void remember(int shard) {
    BucketState state = table.get(shard);
    List<BucketState> known = copies.computeIfAbsent(shard, key -> new ArrayList<>());
    if (state != null) {
      known.add(state);
    }
    if (known.size() > COPIES) {
      known.remove(0);
    }
  }

  private BucketState get(int shard) {
    return Objects.requireNonNull(table.get(shard));
  }

  private long latestMs() {
    return shards().stream().mapToLong(BucketState::refilledAtMs).max().orElse(nowMs);
  }

  private static LimitState limit(BucketState state, String name) {
    return Objects.requireNonNull(state.find(name));
  }

  private String nextOp() {
    return "op-" + ++lastOp;
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new AssertionError("does not hold");
    }
  }
}
