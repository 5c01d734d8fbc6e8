package dev.millrace.dynamodb.expression;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.BucketState.Division;
import dev.millrace.core.bucket.BucketState.LimitState;
import dev.millrace.core.config.ConfigLevel;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.ConfigStamp.RecordVersions;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All of a plan that its expression depends on: the numbers are left out, so that a bucket written
 * a thousand times a second has one shape.
 *
 * @param kind which condition
 * @param expires whether the bucket expires
 * @param whole whether the bucket must be undivided; where a level is demanded, it is another one
 * @param priced whether the reserved limit is changed
 * @param changes the limits that are changed
 * @param set limits whose parameters are overwritten
 * @param added limits that are added
 * @param removed limits that go
 * @param stamp which parts of the stamp are there afterwards, null when it stays
 * @param dividing what becomes of the division
 */
record UpdateShape(
    Kind kind,
    boolean expires,
    boolean whole,
    boolean priced,
    List<Change> changes,
    List<Parameters> set,
    List<Parameters> added,
    List<Removal> removed,
    @Nullable StampParts stamp,
    Dividing dividing) {

  /** Which condition the whole item must meet. */
  enum Kind {
    /** The refill timestamp and the level as they were read, and the count where that matters. */
    LOCKED,
    /** A refill timestamp that is recent enough, the level, and a bucket that is switched on. */
    CONSUME,
    /** Only that what is changed exists, and where it is to expire, that it is undivided. */
    ADJUST,
    /** The number of shards as it was read. */
    RESIZE
  }

  /** What becomes of the division. */
  enum Dividing {
    /** It stays as it is. */
    KEPT,
    /** The shard becomes the whole bucket. */
    TO_WHOLE,
    /** The shard becomes a part of the bucket. */
    TO_PART;

    static Dividing of(@Nullable Division division) {
      if (division == null) {
        return KEPT;
      }
      return division.isWhole() ? TO_WHOLE : TO_PART;
    }
  }

  /** What is demanded of the balance that is met. */
  enum Bound {
    NONE,
    FLOOR,
    CEILING,
    BOTH;

    static Bound of(LimitChange change) {
      if (change.hasFloor()) {
        return change.hasCeiling() ? BOTH : FLOOR;
      }
      return change.hasCeiling() ? CEILING : NONE;
    }
  }

  /** A limit that is changed. */
  record Change(String limit, Bound bound) {}

  /** A limit whose parameters are written. */
  record Parameters(String limit, boolean soft) {
    static Parameters of(Limit limit) {
      return new Parameters(limit.name(), limit.soft());
    }
  }

  /** A limit that goes, and whether only from some balance on. */
  record Removal(String limit, boolean floored) {
    static Removal of(WritePlan.Removal removal) {
      return new Removal(removal.name(), removal.minTokensMilli() != LimitChange.NO_FLOOR);
    }
  }

  /** The parts of a stamp that differ from the default, and so are stored. */
  record StampParts(boolean versioned, boolean levelled, boolean off) {
    static @Nullable StampParts of(@Nullable ConfigStamp stamp) {
      return stamp == null
          ? null
          : new StampParts(
              !stamp.versions().equals(RecordVersions.NONE),
              stamp.level() != ConfigLevel.CALL,
              stamp.disabled());
    }
  }

  static UpdateShape of(WritePlan.Locked plan) {
    WritePlan.Parameters parameters = plan.parameters();
    List<Change> changes = changes(plan.changes());
    boolean expires = plan.expiresAtSeconds() != BucketState.NEVER;
    boolean priced = plan.addWcuMilli() != 0;
    if (parameters.isUnchanged()) {
      return simple(Kind.LOCKED, expires, isWhole(plan.level()), priced, changes);
    }
    return new UpdateShape(
        Kind.LOCKED,
        expires,
        isWhole(plan.level()),
        priced,
        changes,
        parameters.set().stream().map(Parameters::of).toList(),
        parameters.added().stream().map(LimitState::limit).map(Parameters::of).toList(),
        parameters.removed().stream().map(Removal::of).toList(),
        StampParts.of(parameters.stamp()),
        Dividing.of(parameters.division()));
  }

  static UpdateShape of(WritePlan.Consume plan) {
    return simple(
        Kind.CONSUME,
        plan.expiresAtSeconds() != BucketState.NEVER,
        isWhole(plan.level()),
        plan.addWcuMilli() != 0,
        changes(plan.changes()));
  }

  static UpdateShape of(WritePlan.Adjust plan) {
    boolean expires = plan.expiresAtSeconds() != BucketState.NEVER;
    return simple(
        Kind.ADJUST,
        expires,
        /* whole= */ expires,
        plan.addWcuMilli() != 0,
        changes(plan.changes()));
  }

  static UpdateShape of(WritePlan.Resize plan) {
    return simple(
        Kind.RESIZE, /* expires= */ false, /* whole= */ false, plan.addWcuMilli() != 0, List.of());
  }

  private static boolean isWhole(int level) {
    return level == 1;
  }

  private static UpdateShape simple(
      Kind kind, boolean expires, boolean whole, boolean priced, List<Change> changes) {
    return new UpdateShape(
        kind,
        expires,
        whole,
        priced,
        changes,
        List.of(),
        List.of(),
        List.of(),
        null,
        Dividing.KEPT);
  }

  private static List<Change> changes(List<LimitChange> changes) {
    List<Change> shapes = new ArrayList<>(changes.size());
    for (int i = 0; i < changes.size(); i++) {
      shapes.add(new Change(changes.get(i).name(), Bound.of(changes.get(i))));
    }
    return shapes;
  }
}
