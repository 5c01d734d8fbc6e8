package dev.millrace.regions;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.LimitStep;
import dev.millrace.regions.internal.snapshot.SnapshotRow;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pair at one moment.
 *
 * @param config the configuration stored for the pair itself, null for none
 * @param own limits of the same level that are not shared
 * @param holdings one for each shared limit
 * @param shards of its bucket, none when there is no bucket
 * @param refused the number of windows in which requests are known to have been refused
 */
record PairState(
    SharedPair pair,
    @Nullable ConfigRecord config,
    List<Limit> own,
    List<HeldLimit> holdings,
    List<BucketState> shards,
    long refused,
    long nowMs) {
  /** Whether an operator has set limits of the pair by hand. */
  boolean isOperators() {
    return config != null && config.isOperators();
  }

  /**
   * Whether rights are transferred, the shared limits were declared again, or all of it is void.
   */
  boolean changes() {
    RegionsPart regions = config == null ? null : config.regions();
    LimitSet enforced = regions == null ? null : regions.part();
    return holdings.stream().anyMatch(HeldLimit::changes)
        || holdings.stream().anyMatch(holding -> lacks(shards, holding.name()))
        || (enforced == null ? isVoid() : !enforced.equals(part(holdings)));
  }

  /** Whether there is a bucket with a shard that does not have the limit yet. */
  static boolean lacks(List<BucketState> shards, String limit) {
    return shards.stream().anyMatch(shard -> shard.find(limit) == null);
  }

  /** Whether the region is evicted, and must enforce nothing of what it shared. */
  boolean isVoid() {
    return holdings.stream().anyMatch(HeldLimit::isVoid);
  }

  private LimitSet part(List<HeldLimit> held) {
    List<Limit> limits = new ArrayList<>(own);
    held.forEach(holding -> limits.add(SharedLimits.part(holding.limit(), holding.enforcedPpm())));
    return LimitSet.of(limits);
  }

  /**
   * The configuration to be stored for the pair after the step.
   *
   * @param versionFloor of the entity: see {@link ConfigRecord#versionFloor}
   */
  ConfigRecord next(long versionFloor) {
    ConfigRecord before = config == null ? ConfigRecord.empty(pair.config(), versionFloor) : config;
    RegionsPart regions = before.regions();
    SortedMap<String, String> texts =
        regions == null ? new TreeMap<>() : new TreeMap<>(regions.texts());
    for (HeldLimit holding : holdings) {
      texts.put(holding.name(), LedgerText.of(holding.step().ledger()));
    }
    LimitSet whole = regions == null ? null : regions.whole();
    return before.withRegions(new RegionsPart(whole, part(done().holdings()), texts));
  }

  /** The same after the step, as far as the ledgers are concerned. */
  PairState done() {
    List<HeldLimit> done = holdings.stream().map(HeldLimit::done).toList();
    return new PairState(pair, config, own, done, shards, refused, nowMs);
  }

  /** The same with a later state of the bucket. */
  PairState at(List<BucketState> later, long laterMs) {
    return new PairState(pair, config, own, holdings, later, refused, laterMs);
  }

  /**
   * Whether it must be published until the others have acknowledged: rights were transferred, or
   * will be.
   */
  boolean isKept() {
    return isWaiting()
        || holdings.stream().anyMatch(holding -> !holding.ledger().dealings().isEmpty());
  }

  /** Whether an eviction is sealed here, and not yet by all the others. */
  boolean isWaiting() {
    return holdings.stream().anyMatch(holding -> holding.ledger().pending() != null);
  }

  void tally(RightsTally tally) {
    for (HeldLimit holding : holdings) {
      tally.add(key(holding), holding.limit().whole(), holding.ledger());
    }
  }

  private LimitKey key(HeldLimit holding) {
    return new LimitKey(pair.entityId(), pair.resource(), holding.name());
  }

  List<SnapshotRow> rows() {
    List<SnapshotRow> rows = new ArrayList<>(holdings.size());
    for (HeldLimit holding : holdings) {
      LimitLedger ledger = holding.ledger();
      rows.add(
          new SnapshotRow(
              key(holding),
              consumedMilli(shards, holding.name()),
              balanceMilli(
                  shards, holding.name(), holding.limit().ceilingMilli(ledger.sharePpm()), nowMs),
              holding.limit().whole().capacityMilli(),
              ledger.sharePpm(),
              refused,
              ledger.dealings()));
    }
    return rows;
  }

  /** The balance of all shards; a missing bucket would be created full. */
  static long balanceMilli(List<BucketState> shards, String limit, long ceilingMilli, long nowMs) {
    if (shards.isEmpty()) {
      return ceilingMilli;
    }
    long milli = 0;
    for (BucketState shard : shards) {
      milli = SaturatedMath.add(milli, TokenDivision.balanceMilli(shard, limit, nowMs));
    }
    return milli;
  }

  static long consumedMilli(List<BucketState> shards, String limit) {
    long milli = 0;
    for (BucketState shard : shards) {
      LimitState state = shard.find(limit);
      milli = SaturatedMath.add(milli, state == null ? 0 : state.consumedMilli());
    }
    return milli;
  }

  /**
   * One limit of a pair: the region's holding, and its step in this window.
   *
   * @param ledger as it is stored
   * @param isVoid whether the region is evicted: others have divided what the ledger says
   */
  record HeldLimit(GlobalLimit limit, LimitLedger ledger, LimitStep step, boolean isVoid) {
    String name() {
      return limit.whole().name();
    }

    /** The limit that the region may enforce. */
    int enforcedPpm() {
      return isVoid ? 0 : ledger.sharePpm();
    }

    /**
     * The balance of a bucket that was full after the step, before it is clipped at its new
     * ceiling.
     */
    long movedMilli() {
      return SaturatedMath.add(limit.ceilingMilli(ledger.sharePpm()), step.tokensMilli());
    }

    boolean changes() {
      return !step.ledger().equals(ledger);
    }

    /** The same once the step is done. */
    HeldLimit done() {
      return new HeldLimit(limit, step.ledger(), step, isVoid);
    }
  }
}
