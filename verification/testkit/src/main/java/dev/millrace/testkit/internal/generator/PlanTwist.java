package dev.millrace.testkit.internal.generator;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Alters one thing about a plan so that it lies at the edge of being refused: a bound exactly at
 * the balance or one beside it, a lock or a level one off, a limit that is missing or already
 * there.
 */
public final class PlanTwist {
  /** A limit that no generated bucket has. */
  private static final String MISSING = "missing_limit";

  /** The year 2100. */
  private static final long EXPIRES_AT_SECONDS = 4_102_444_800L;

  private PlanTwist() {}

  /** {@code plan} altered for a bucket that is {@code current}. */
  public static WritePlan twist(RandomGenerator random, WritePlan plan, BucketState current) {
    if (plan instanceof WritePlan.Locked locked) {
      return twistLocked(random, locked, current);
    }
    if (plan instanceof WritePlan.Consume consume) {
      return twistConsume(random, consume, current);
    }
    if (plan instanceof WritePlan.Adjust adjust) {
      return twistAdjust(random, adjust);
    }
    if (plan instanceof WritePlan.Resize resize) {
      return new WritePlan.Resize(
          resize.key(), ShardGen.power(random), resize.count(), resize.addWcuMilli(), resize.op());
    }
    return plan;
  }

  /** A limit that is missing, or an expiry, which a shard of several does not take. */
  private static WritePlan twistAdjust(RandomGenerator random, WritePlan.Adjust plan) {
    boolean expiring = random.nextBoolean();
    return new WritePlan.Adjust(
        plan.key(),
        expiring ? plan.changes() : missing(random, plan.changes()),
        plan.addWcuMilli(),
        expiring ? EXPIRES_AT_SECONDS : BucketState.NEVER,
        plan.op());
  }

  private static WritePlan twistConsume(
      RandomGenerator random, WritePlan.Consume plan, BucketState current) {
    long minRefilledAtMs = plan.minRefilledAtMs();
    int level = plan.level();
    List<LimitChange> changes = plan.changes();
    switch (random.nextInt(4)) {
      case 0 -> minRefilledAtMs = beside(random, current.refilledAtMs());
      case 1 -> changes = missing(random, changes);
      case 2 -> level = ShardGen.besideLevel(random, current.division().level());
      default -> changes = bounded(random, changes, current);
    }
    return new WritePlan.Consume(
        plan.key(),
        minRefilledAtMs,
        level,
        changes,
        plan.addWcuMilli(),
        BucketState.NEVER,
        plan.op());
  }

  private static WritePlan twistLocked(
      RandomGenerator random, WritePlan.Locked plan, BucketState current) {
    // Mostly the present lock, so that it is the other conditions that decide.
    long expectedMs = current.refilledAtMs();
    int level = current.division().level();
    List<LimitChange> changes = plan.changes();
    WritePlan.Parameters parameters = plan.parameters();
    switch (random.nextInt(10)) {
      case 0 -> expectedMs = beside(random, expectedMs);
      case 1 -> changes = missing(random, changes);
      case 2 -> changes = without(random, changes);
      case 3 -> parameters = removals(random, parameters, current);
      case 4 -> {
        parameters = addAgain(random, changes, parameters);
        changes = withoutAdded(changes, parameters);
      }
      case 5 -> parameters = restated(random, parameters);
      case 6 -> {
        parameters = removedAtOnce(changes, parameters);
        changes = withoutRemoved(changes, parameters);
      }
      case 7 -> level = ShardGen.besideLevel(random, level);
      case 8 -> parameters = divided(random, parameters, current);
      default -> changes = bounded(random, changes, current);
    }
    return new WritePlan.Locked(
        plan.key(),
        expectedMs,
        level,
        plan.refilledAtMs(),
        changes,
        parameters,
        plan.addWcuMilli(),
        BucketState.NEVER,
        plan.op());
  }

  private static long beside(RandomGenerator random, long value) {
    return value - 1 + random.nextInt(3);
  }

  /** One change is of a limit that the bucket does not have. */
  private static List<LimitChange> missing(RandomGenerator random, List<LimitChange> changes) {
    if (changes.isEmpty()) {
      return List.of(LimitChange.unconditional(MISSING, 1, 1));
    }
    List<LimitChange> twisted = new ArrayList<>(changes);
    int index = random.nextInt(changes.size());
    LimitChange change = changes.get(index);
    twisted.set(
        index,
        new LimitChange(
            MISSING,
            change.addTokensMilli(),
            change.addConsumedMilli(),
            change.minTokensMilli(),
            change.maxTokensMilli()));
    return twisted;
  }

  private static List<LimitChange> without(RandomGenerator random, List<LimitChange> changes) {
    List<LimitChange> twisted = new ArrayList<>(changes);
    if (!twisted.isEmpty()) {
      twisted.remove(random.nextInt(twisted.size()));
    }
    return twisted;
  }

  /** One change has its bounds at the balance or one beside it. */
  private static List<LimitChange> bounded(
      RandomGenerator random, List<LimitChange> changes, BucketState current) {
    if (changes.isEmpty()) {
      return changes;
    }
    List<LimitChange> twisted = new ArrayList<>(changes);
    int index = random.nextInt(changes.size());
    LimitChange change = changes.get(index);
    LimitState state = current.find(change.name());
    long tokensMilli = state == null ? 0 : state.tokensMilli();
    long floor = random.nextBoolean() ? LimitChange.NO_FLOOR : beside(random, tokensMilli);
    long ceiling = random.nextBoolean() ? LimitChange.NO_CEILING : beside(random, tokensMilli);
    twisted.set(
        index,
        new LimitChange(
            change.name(),
            change.addTokensMilli(),
            change.addConsumedMilli(),
            Math.min(floor, ceiling),
            ceiling));
    return twisted;
  }

  /** Each removal has its floor at the balance or one beside it. */
  private static WritePlan.Parameters removals(
      RandomGenerator random, WritePlan.Parameters parameters, BucketState current) {
    List<WritePlan.Removal> twisted = new ArrayList<>();
    for (WritePlan.Removal removal : parameters.removed()) {
      LimitState state = current.find(removal.name());
      long tokensMilli = state == null ? 0 : state.tokensMilli();
      twisted.add(new WritePlan.Removal(removal.name(), beside(random, tokensMilli)));
    }
    return new WritePlan.Parameters(
        parameters.set(), parameters.added(), twisted, parameters.stamp(), parameters.division());
  }

  /** A limit that is changed is added instead, though it is there. */
  private static WritePlan.Parameters addAgain(
      RandomGenerator random, List<LimitChange> changes, WritePlan.Parameters parameters) {
    if (changes.isEmpty()) {
      return parameters;
    }
    String name = Gen.oneOf(random, changes).name();
    List<Limit> set =
        parameters.set().stream().filter(limit -> !limit.name().equals(name)).toList();
    List<LimitState> added = new ArrayList<>(parameters.added());
    added.add(LimitState.full(Gen.limit(random, name)));
    return new WritePlan.Parameters(
        set, added, parameters.removed(), parameters.stamp(), parameters.division());
  }

  /** The shard gets another level, mostly for as many shards as there should be. */
  private static WritePlan.Parameters divided(
      RandomGenerator random, WritePlan.Parameters parameters, BucketState current) {
    return new WritePlan.Parameters(
        parameters.set(),
        parameters.added(),
        parameters.removed(),
        parameters.stamp(),
        ShardGen.divided(random, current));
  }

  /** The bucket gets another stamp. */
  private static WritePlan.Parameters restated(
      RandomGenerator random, WritePlan.Parameters parameters) {
    return new WritePlan.Parameters(
        parameters.set(),
        parameters.added(),
        parameters.removed(),
        Gen.stamp(random),
        parameters.division());
  }

  /** The first limit that is changed goes instead, whatever its balance; never the last one. */
  private static WritePlan.Parameters removedAtOnce(
      List<LimitChange> changes, WritePlan.Parameters parameters) {
    if (changes.size() < 2) {
      return parameters;
    }
    String name = changes.get(0).name();
    List<WritePlan.Removal> removed = new ArrayList<>(parameters.removed());
    removed.add(new WritePlan.Removal(name, LimitChange.NO_FLOOR));
    return new WritePlan.Parameters(
        parameters.set().stream().filter(limit -> !limit.name().equals(name)).toList(),
        parameters.added(),
        removed,
        parameters.stamp(),
        parameters.division());
  }

  private static List<LimitChange> withoutRemoved(
      List<LimitChange> changes, WritePlan.Parameters parameters) {
    return changes.stream()
        .filter(
            change ->
                parameters.removed().stream()
                    .noneMatch(removal -> removal.name().equals(change.name())))
        .toList();
  }

  private static List<LimitChange> withoutAdded(
      List<LimitChange> changes, WritePlan.Parameters parameters) {
    return changes.stream()
        .filter(
            change ->
                parameters.added().stream().noneMatch(added -> added.name().equals(change.name())))
        .toList();
  }
}
