package dev.millrace.dynamodb.admin.migration;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.admin.migration.MigrationReport.Finding;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import dev.millrace.dynamodb.internal.legacy.OldBucket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts what a pass finds and does. Safe for use by many threads. */
final class Tally {
  private final MigrationPass pass;
  private final Map<CarryPlan.Kind, Long> done = new EnumMap<>(CarryPlan.Kind.class);
  private final List<Finding> corrupt = new ArrayList<>();
  private final List<Finding> defects = new ArrayList<>();
  private long examined;
  private long perLimit;
  private long composite;
  private long carriedOver;
  private long contended;
  private long verified;
  private long consumedMilli;
  private long tokensMilli;
  private long corruptCount;
  private long defectCount;

  Tally(MigrationPass pass) {
    this.pass = pass;
  }

  synchronized void examined(long items) {
    examined += items;
  }

  synchronized long examined() {
    return examined;
  }

  synchronized void met(int version, BucketState state) {
    if (version == OldBucket.PER_LIMIT) {
      perLimit++;
    } else {
      composite++;
    }
    sum(state.limits());
  }

  /** What was carried over before, with the counters and balances from then. */
  synchronized void metCarriedOver(List<LimitState> limits) {
    carriedOver++;
    sum(limits);
  }

  private void sum(List<LimitState> limits) {
    for (LimitState limit : limits) {
      consumedMilli = SaturatedMath.add(consumedMilli, limit.consumedMilli());
      tokensMilli = SaturatedMath.add(tokensMilli, limit.tokensMilli());
    }
  }

  synchronized void did(CarryPlan.Kind kind) {
    done.merge(kind, 1L, Long::sum);
  }

  synchronized void contended() {
    contended++;
  }

  synchronized void verified() {
    verified++;
  }

  synchronized void corrupt(ItemAddress address, String problem) {
    corruptCount++;
    list(corrupt, address, problem);
  }

  synchronized void defect(ItemAddress address, String problem) {
    defectCount++;
    list(defects, address, problem);
  }

  private static void list(List<Finding> findings, ItemAddress address, String problem) {
    if (findings.size() < MigrationReport.MAX_LISTED) {
      findings.add(new Finding(address, problem));
    }
  }

  private long done(CarryPlan.Kind kind) {
    return done.getOrDefault(kind, 0L);
  }

  synchronized long changed() {
    return done.values().stream().mapToLong(Long::longValue).sum();
  }

  synchronized MigrationReport report() {
    return new MigrationReport(
        pass,
        examined,
        perLimit,
        composite,
        carriedOver,
        done(CarryPlan.Kind.MOVE),
        done(CarryPlan.Kind.MERGE),
        done(CarryPlan.Kind.FOLD),
        done(CarryPlan.Kind.DELETE),
        contended,
        verified,
        consumedMilli,
        tokensMilli,
        corruptCount,
        corrupt,
        defectCount,
        defects);
  }
}
