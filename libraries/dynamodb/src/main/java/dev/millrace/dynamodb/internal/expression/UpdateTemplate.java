package dev.millrace.dynamodb.internal.expression;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.LimitField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text of an update that a plan asks for, and the placeholders of its values. It depends on the
 * shape of the plan, which leaves the numbers out, so that a bucket written a thousand times a
 * second has one text, which is rendered once ({@link PlanRequests} keeps it).
 *
 * <p>{@code rf}, {@code op}, {@code cv}, {@code lv}, {@code sl}, {@code shard_count}, {@code
 * b_wcu_tk} and {@code PK} are not among DynamoDB's reserved words and stand for themselves; {@code
 * ttl} and {@code off} are. Limits' names never stand in an expression: they may contain {@code -}
 * and {@code .}, which mean something there. Their placeholders are numbered by position.
 */
final class UpdateTemplate {
  static final String TTL = ":ttl";
  static final String OP = ":op";

  /** The last write that the bucket must have seen. */
  static final String OP_BEFORE = ":op0";

  static final String OFF = ":off";
  static final String CONFIG_VERSIONS = ":cv";
  static final String LEVEL = ":lv";
  static final String REFILLED_AT = ":rf";

  /** The timestamp that the bucket must have, or the oldest that it may have. */
  static final String REFILLED_BEFORE = ":rf0";

  static final String SHARD_LEVEL = ":sl";

  /** The level that the shard must have. */
  static final String SHARD_LEVEL_BEFORE = ":sl0";

  static final String SHARD_COUNT = ":sc";

  /** The count that the bucket must have. */
  static final String SHARD_COUNT_BEFORE = ":sc0";

  /** The amount that is added to the reserved limit. */
  static final String ADD_WCU = ":wcu";

  /** The least balance at which a limit may be removed. */
  static final String REMOVAL_FLOOR = ":min";

  static final String SET = ":s";
  static final String ADDED = ":a";
  static final LimitField[] FIELDS = LimitField.values();

  static final LimitField[] PARAMETERS = {
    LimitField.CAPACITY,
    LimitField.BURST,
    LimitField.REFILL_AMOUNT,
    LimitField.REFILL_PERIOD,
    LimitField.SOFT
  };

  private static final String TTL_NAME = "#ttl";
  private static final String OFF_NAME = "#off";
  private static final String SET_NAME = "#s";
  private static final String ADDED_NAME = "#a";
  private static final String REMOVED_NAME = "#r";

  /** The condition that the whole item must meet. */
  enum Condition {
    /** The refill timestamp and the level as they were read, and the count where that matters. */
    LOCKED,
    /** A refill timestamp that is recent enough, the level, and a bucket that is switched on. */
    CONSUME,
    /** Only that what is changed exists, and where it is to expire, that it is undivided. */
    ADJUST,
    RESIZE
  }

  // The shape:
  final Condition condition;
  final boolean expires;

  /** Whether the bucket must be undivided; where a level is required, it is another one. */
  final boolean whole;

  /** Whether the reserved limit is changed. */
  final boolean priced;

  /** The limits that are changed, and the bounds that are required of the balance of each. */
  final String[] limits;

  final boolean[] floored;
  final boolean[] capped;

  /** The changes of the limits themselves ({@link #alteration}); empty when they stay. */
  final List<String> alteration;

  // The text:
  final String update;
  final String requirement;
  final Map<String, String> names;

  /** The placeholders of each limit that is changed. */
  final String[] addTokens;

  final String[] addConsumed;
  final String[] floors;
  final String[] ceilings;

  UpdateTemplate(
      Condition condition,
      boolean expires,
      boolean whole,
      boolean priced,
      List<LimitChange> changes,
      WritePlan.@Nullable Parameters parameters) {
    this.condition = condition;
    this.expires = expires;
    this.whole = whole;
    this.priced = priced;
    this.limits = changes.stream().map(LimitChange::name).toArray(String[]::new);
    this.floored = new boolean[limits.length];
    this.capped = new boolean[limits.length];
    for (int i = 0; i < limits.length; i++) {
      floored[i] = changes.get(i).hasFloor();
      capped[i] = changes.get(i).hasCeiling();
    }
    this.alteration = alteration(parameters);
    this.addTokens = numbered(":tk");
    this.addConsumed = numbered(":tc");
    this.floors = numbered(":lo");
    this.ceilings = numbered(":hi");
    UpdateClauses clauses = new UpdateClauses();
    item(clauses);
    if (parameters != null) {
      division(parameters.division(), clauses);
      stamp(parameters.stamp(), clauses);
    }
    for (int i = 0; i < limits.length; i++) {
      change(i, clauses);
    }
    if (parameters != null) {
      limits(parameters, clauses);
    }
    if (priced) {
      clauses.add(BucketAttributes.WCU_TOKENS, ADD_WCU);
    }
    this.update = clauses.setAddRemove();
    this.requirement = clauses.condition();
    this.names = Map.copyOf(clauses.names);
  }

  private String[] numbered(String prefix) {
    String[] placeholders = new String[limits.length];
    Arrays.setAll(placeholders, index -> prefix + index);
    return placeholders;
  }

  static String placeholder(String prefix, LimitField field, int index) {
    return prefix + field.suffix() + index;
  }

  static List<String> alteration(WritePlan.@Nullable Parameters parameters) {
    if (parameters == null) {
      return List.of();
    }
    List<String> parts = new ArrayList<>();
    parameters.set().forEach(set -> parts.add("set " + set.soft() + " " + set.name()));
    parameters
        .added()
        .forEach(added -> parts.add("added " + added.limit().soft() + " " + added.name()));
    parameters
        .removed()
        .forEach(removed -> parts.add("removed " + isFloored(removed) + " " + removed.name()));
    ConfigStamp stamp = parameters.stamp();
    if (stamp != null) {
      parts.add("stamp " + isVersioned(stamp) + " " + isLevelled(stamp) + " " + stamp.disabled());
    }
    if (parameters.division() != null) {
      parts.add("division " + parameters.division().isWhole());
    }
    return parts;
  }

  private static boolean isFloored(WritePlan.Removal removal) {
    return removal.minTokensMilli() != LimitChange.NO_FLOOR;
  }

  private static boolean isVersioned(ConfigStamp stamp) {
    return !stamp.versions().equals(RecordVersions.NONE);
  }

  private static boolean isLevelled(ConfigStamp stamp) {
    return stamp.level() != ConfigLevel.CALL;
  }

  private void item(UpdateClauses clauses) {
    String refilledAt = BucketAttributes.REFILLED_AT;
    switch (condition) {
      case LOCKED -> {
        clauses.require(refilledAt + " = " + REFILLED_BEFORE);
        // A split or a merge may leave the timestamp as it is.
        clauses.require(level());
        clauses.set(refilledAt, REFILLED_AT);
      }
      case CONSUME -> {
        clauses.require(refilledAt + " >= " + REFILLED_BEFORE);
        clauses.require(level());
        // A write that switches a bucket off moves the timestamp, which is no lock here.
        clauses.name(OFF_NAME, BucketAttributes.OFF);
        clauses.require("attribute_not_exists(" + OFF_NAME + ")");
      }
      case ADJUST -> {
        if (limits.length == 0) {
          clauses.require("attribute_exists(" + Attributes.PK + ")");
        }
        if (whole) {
          clauses.require(level());
        }
      }
      case RESIZE -> {
        // An absent attribute is not equal to anything.
        clauses.require(BucketAttributes.SHARD_COUNT + " = " + SHARD_COUNT_BEFORE);
        clauses.set(BucketAttributes.SHARD_COUNT, SHARD_COUNT);
      }
    }
    clauses.set(BucketAttributes.OP, OP);
    clauses.name(TTL_NAME, Attributes.TTL);
    clauses.setOrRemove(expires, TTL_NAME, TTL);
  }

  /** Of the whole, no level is stored. */
  private String level() {
    String level = BucketAttributes.SHARD_LEVEL;
    return whole ? "attribute_not_exists(" + level + ")" : level + " = " + SHARD_LEVEL_BEFORE;
  }

  private static void division(@Nullable Division division, UpdateClauses clauses) {
    if (division != null) {
      clauses.require(BucketAttributes.SHARD_COUNT + " = " + SHARD_COUNT_BEFORE);
      clauses.setOrRemove(!division.isWhole(), BucketAttributes.SHARD_LEVEL, SHARD_LEVEL);
    }
  }

  private static void stamp(@Nullable ConfigStamp stamp, UpdateClauses clauses) {
    if (stamp != null) {
      clauses.setOrRemove(isVersioned(stamp), BucketAttributes.CONFIG_VERSIONS, CONFIG_VERSIONS);
      clauses.setOrRemove(isLevelled(stamp), BucketAttributes.LEVEL, LEVEL);
      clauses.name(OFF_NAME, BucketAttributes.OFF);
      clauses.setOrRemove(stamp.disabled(), OFF_NAME, OFF);
    }
  }

  private void change(int index, UpdateClauses clauses) {
    String tokens = "#tk" + index;
    String consumed = "#tc" + index;
    clauses.name(tokens, LimitField.TOKENS.attribute(limits[index]));
    clauses.name(consumed, LimitField.CONSUMED.attribute(limits[index]));
    String floor = floors[index];
    String ceiling = ceilings[index];
    if (floored[index]) {
      clauses.require(
          capped[index]
              ? tokens + " BETWEEN " + floor + " AND " + ceiling
              : tokens + " >= " + floor);
    } else {
      // Adding to a limit that has gone meanwhile would leave a third of one behind. The refill
      // timestamp does not exclude it: a write may leave it as it is.
      clauses.require(
          capped[index] ? tokens + " <= " + ceiling : "attribute_exists(" + tokens + ")");
    }
    clauses.add(tokens, addTokens[index]);
    clauses.add(consumed, addConsumed[index]);
  }

  private void limits(WritePlan.Parameters parameters, UpdateClauses clauses) {
    for (int i = 0; i < parameters.set().size(); i++) {
      set(parameters.set().get(i), i, clauses);
    }
    for (int i = 0; i < parameters.added().size(); i++) {
      added(parameters.added().get(i), i, clauses);
    }
    for (int i = 0; i < parameters.removed().size(); i++) {
      removed(parameters.removed().get(i), i, clauses);
    }
  }

  private void set(Limit set, int index, UpdateClauses clauses) {
    if (!Arrays.asList(limits).contains(set.name())) { // else the change requires it already
      clauses.require(
          "attribute_exists(" + placeholder(SET_NAME, LimitField.CAPACITY, index) + ")");
    }
    for (LimitField field : PARAMETERS) {
      String name = placeholder(SET_NAME, field, index);
      clauses.name(name, field.attribute(set.name()));
      clauses.setOrRemove(
          field != LimitField.SOFT || set.soft(), name, placeholder(SET, field, index));
    }
  }

  private static void added(LimitState added, int index, UpdateClauses clauses) {
    clauses.require(
        "attribute_not_exists(" + placeholder(ADDED_NAME, LimitField.TOKENS, index) + ")");
    for (LimitField field : FIELDS) {
      if (field != LimitField.SOFT || added.limit().soft()) {
        String name = placeholder(ADDED_NAME, field, index);
        clauses.name(name, field.attribute(added.name()));
        clauses.set(name, placeholder(ADDED, field, index));
      }
    }
  }

  private static void removed(WritePlan.Removal removed, int index, UpdateClauses clauses) {
    String tokens = placeholder(REMOVED_NAME, LimitField.TOKENS, index);
    clauses.require(
        isFloored(removed)
            ? tokens + " >= " + REMOVAL_FLOOR + index
            : "attribute_exists(" + tokens + ")");
    for (LimitField field : FIELDS) {
      String name = placeholder(REMOVED_NAME, field, index);
      clauses.name(name, field.attribute(removed.name()));
      clauses.remove(name);
    }
  }
}
