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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The text of an update that a plan asks for, and the placeholders of its values. It depends on the
 * shape of the plan: the numbers are left out, so that a bucket written a thousand times a second
 * has one text, which is rendered once.
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

  /** What is added to the reserved limit. */
  static final String ADD_WCU = ":wcu";

  /** The least balance at which a limit may be removed. */
  static final String REMOVAL_FLOOR = ":min";

  /** Parameters of a limit that is overwritten. */
  static final String SET = ":s";

  /** Fields of a limit that is added. */
  static final String ADDED = ":a";

  /** The parameters of a limit. */
  static final LimitField[] PARAMETERS = {
    LimitField.CAPACITY,
    LimitField.BURST,
    LimitField.REFILL_AMOUNT,
    LimitField.REFILL_PERIOD,
    LimitField.SOFT
  };

  /** Everything of a limit. */
  static final LimitField[] FIELDS = LimitField.values();

  private static final String TTL_NAME = "#ttl";
  private static final String OFF_NAME = "#off";
  private static final String SET_NAME = "#s";
  private static final String ADDED_NAME = "#a";
  private static final String REMOVED_NAME = "#r";

  /**
   * Most texts that are kept, of a few hundred bytes each, and the number of places where one may
   * be. One that finds all its places taken replaces the first.
   */
  static final int MAX_TEXTS = 1_024;

  private static final int PLACES = 4;

  /**
   * Rendering is most of what a request costs before it reaches the SDK, and shapes are few. Not a
   * map: a write would allocate a key to look one up.
   */
  private static final AtomicReferenceArray<UpdateTemplate> TEXTS =
      new AtomicReferenceArray<>(MAX_TEXTS);

  private final Shape shape;
  final String update;
  final String condition;
  final Map<String, String> names;

  /** For each limit that is changed: what is added to its balance and to its total. */
  final String[] addTokens;

  final String[] addConsumed;

  /** For each limit that is changed: the bounds of the balance that may be met. */
  final String[] floors;

  final String[] ceilings;

  private UpdateTemplate(Shape shape) {
    UpdateText text = shape.render();
    int changes = shape.limits.length;
    this.shape = shape;
    this.update = text.update();
    this.condition = text.condition();
    this.names = text.names();
    this.addTokens = numbered(":tk", changes);
    this.addConsumed = numbered(":tc", changes);
    this.floors = numbered(":lo", changes);
    this.ceilings = numbered(":hi", changes);
  }

  private static String[] numbered(String prefix, int count) {
    String[] placeholders = new String[count];
    Arrays.setAll(placeholders, index -> prefix + index);
    return placeholders;
  }

  /** The placeholder of one field of a limit that is {@link #SET} or {@link #ADDED}. */
  static String placeholder(String prefix, LimitField field, int index) {
    return prefix + field.suffix() + index;
  }

  /** The condition that the whole item must meet. */
  enum Condition {
    /** The refill timestamp and the level as they were read, and the count where that matters. */
    LOCKED,
    /** A refill timestamp that is recent enough, the level, and a bucket that is switched on. */
    CONSUME,
    /** Only that what is changed exists, and where it is to expire, that it is undivided. */
    ADJUST,
    /** The number of shards as it was read. */
    RESIZE
  }

  /** The bounds that are demanded of the balance of a limit. */
  private enum Bound {
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

  /**
   * The text of an update, rendered when it is the first one of its shape.
   *
   * @param condition which condition
   * @param expires whether the bucket expires
   * @param whole whether the bucket must be undivided; where a level is demanded, it is another one
   * @param priced whether the reserved limit is changed
   * @param changes the limits that are changed
   * @param parameters what becomes of the limits themselves, null when they stay as they are
   */
  static UpdateTemplate of(
      Condition condition,
      boolean expires,
      boolean whole,
      boolean priced,
      List<LimitChange> changes,
      WritePlan.@Nullable Parameters parameters) {
    Alteration alteration = parameters == null ? null : Alteration.of(parameters);
    int hash = condition.hashCode() + (expires ? 4 : 0) + (whole ? 2 : 0) + (priced ? 1 : 0);
    hash = hash * 31 + Objects.hashCode(alteration);
    for (int i = 0; i < changes.size(); i++) {
      LimitChange change = changes.get(i);
      hash = (hash * 31 + change.name().hashCode()) * 31 + Bound.of(change).name().hashCode();
    }
    int first = hash ^ (hash >>> 16);
    int place = first;
    for (int i = 0; i < PLACES; i++) {
      UpdateTemplate known = TEXTS.get((first + i) & (MAX_TEXTS - 1));
      if (known == null) {
        place = first + i;
        break;
      }
      if (known.shape.matches(condition, expires, whole, priced, changes, alteration)) {
        return known;
      }
    }
    UpdateTemplate text =
        new UpdateTemplate(new Shape(condition, expires, whole, priced, changes, alteration));
    TEXTS.set(place & (MAX_TEXTS - 1), text);
    return text;
  }

  /**
   * The changes of limits themselves, of the stamp and of the division.
   *
   * @param set limits whose parameters are overwritten
   * @param added limits that are added
   * @param removed limits that go
   * @param stamp which parts of the stamp are there afterwards, null when it stays
   * @param dividing what becomes of the division
   */
  private record Alteration(
      List<Parameters> set,
      List<Parameters> added,
      List<Removal> removed,
      @Nullable StampParts stamp,
      Dividing dividing) {
    static Alteration of(WritePlan.Parameters parameters) {
      return new Alteration(
          parameters.set().stream().map(Parameters::of).toList(),
          parameters.added().stream().map(LimitState::limit).map(Parameters::of).toList(),
          parameters.removed().stream().map(Removal::of).toList(),
          StampParts.of(parameters.stamp()),
          Dividing.of(parameters.division()));
    }
  }

  /** What becomes of the division. */
  private enum Dividing {
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

  /** A limit whose parameters are written. */
  private record Parameters(String limit, boolean soft) {
    static Parameters of(Limit limit) {
      return new Parameters(limit.name(), limit.soft());
    }
  }

  /** A limit that goes, and whether only from some balance on. */
  private record Removal(String limit, boolean floored) {
    static Removal of(WritePlan.Removal removal) {
      return new Removal(removal.name(), removal.minTokensMilli() != LimitChange.NO_FLOOR);
    }
  }

  /** The parts of a stamp that differ from the default, and so are stored. */
  private record StampParts(boolean versioned, boolean levelled, boolean off) {
    static @Nullable StampParts of(@Nullable ConfigStamp stamp) {
      return stamp == null
          ? null
          : new StampParts(
              !stamp.versions().equals(RecordVersions.NONE),
              stamp.level() != ConfigLevel.CALL,
              stamp.disabled());
    }
  }

  /** All of a plan that its text depends on. */
  private static final class Shape {
    private final Condition condition;
    private final boolean expires;
    private final boolean whole;
    private final boolean priced;
    private final String[] limits;
    private final Bound[] bounds;
    private final @Nullable Alteration alteration;

    Shape(
        Condition condition,
        boolean expires,
        boolean whole,
        boolean priced,
        List<LimitChange> changes,
        @Nullable Alteration alteration) {
      this.condition = condition;
      this.expires = expires;
      this.whole = whole;
      this.priced = priced;
      this.limits = changes.stream().map(LimitChange::name).toArray(String[]::new);
      this.bounds = changes.stream().map(Bound::of).toArray(Bound[]::new);
      this.alteration = alteration;
    }

    /** Whether it is the shape of such an update. */
    boolean matches(
        Condition otherCondition,
        boolean otherExpires,
        boolean otherWhole,
        boolean otherPriced,
        List<LimitChange> changes,
        @Nullable Alteration otherAlteration) {
      if (condition != otherCondition
          || expires != otherExpires
          || whole != otherWhole
          || priced != otherPriced
          || limits.length != changes.size()
          || !Objects.equals(alteration, otherAlteration)) {
        return false;
      }
      for (int i = 0; i < limits.length; i++) {
        LimitChange change = changes.get(i);
        if (!limits[i].equals(change.name()) || bounds[i] != Bound.of(change)) {
          return false;
        }
      }
      return true;
    }

    UpdateText render() {
      UpdateText.Builder text = UpdateText.builder();
      item(text);
      if (alteration != null) {
        divisionAndStamp(alteration, text);
      }
      for (int i = 0; i < limits.length; i++) {
        change(i, text);
      }
      if (alteration != null) {
        limits(alteration, text);
      }
      if (priced) {
        text.add(BucketAttributes.WCU_TOKENS, ADD_WCU);
      }
      return text.build();
    }

    private void item(UpdateText.Builder text) {
      String refilledAt = BucketAttributes.REFILLED_AT;
      switch (condition) {
        case LOCKED -> {
          text.demand(refilledAt + " = " + REFILLED_BEFORE);
          // A split or a merge may leave the timestamp as it is.
          text.demand(level());
          text.set(refilledAt, REFILLED_AT);
        }
        case CONSUME -> {
          text.demand(refilledAt + " >= " + REFILLED_BEFORE);
          text.demand(level());
          // A write that switches a bucket off moves the timestamp, which is no lock here.
          text.name(OFF_NAME, BucketAttributes.OFF);
          text.demand("attribute_not_exists(" + OFF_NAME + ")");
        }
        case ADJUST -> {
          if (limits.length == 0) {
            text.demand("attribute_exists(" + Attributes.PK + ")");
          }
          if (whole) {
            text.demand(level());
          }
        }
        case RESIZE -> {
          // What is not there is not equal to anything.
          String count = BucketAttributes.SHARD_COUNT;
          text.demand(count + " = " + SHARD_COUNT_BEFORE);
          text.set(count, SHARD_COUNT);
        }
      }
      text.set(BucketAttributes.OP, OP);
      text.name(TTL_NAME, Attributes.TTL);
      text.setOrRemove(expires, TTL_NAME, TTL);
    }

    /** Of the whole, no level is stored. */
    private String level() {
      String level = BucketAttributes.SHARD_LEVEL;
      return whole ? "attribute_not_exists(" + level + ")" : level + " = " + SHARD_LEVEL_BEFORE;
    }

    private static void divisionAndStamp(Alteration alteration, UpdateText.Builder text) {
      if (alteration.dividing() != Dividing.KEPT) {
        text.demand(BucketAttributes.SHARD_COUNT + " = " + SHARD_COUNT_BEFORE);
        text.setOrRemove(
            alteration.dividing() == Dividing.TO_PART, BucketAttributes.SHARD_LEVEL, SHARD_LEVEL);
      }
      StampParts stamp = alteration.stamp();
      if (stamp != null) {
        text.setOrRemove(stamp.versioned(), BucketAttributes.CONFIG_VERSIONS, CONFIG_VERSIONS);
        text.setOrRemove(stamp.levelled(), BucketAttributes.LEVEL, LEVEL);
        text.name(OFF_NAME, BucketAttributes.OFF);
        text.setOrRemove(stamp.off(), OFF_NAME, OFF);
      }
    }

    private void limits(Alteration alteration, UpdateText.Builder text) {
      for (int i = 0; i < alteration.set().size(); i++) {
        set(alteration.set().get(i), i, text);
      }
      for (int i = 0; i < alteration.added().size(); i++) {
        added(alteration.added().get(i), i, text);
      }
      for (int i = 0; i < alteration.removed().size(); i++) {
        removed(alteration.removed().get(i), i, text);
      }
    }

    private void change(int index, UpdateText.Builder text) {
      String tokens = "#tk" + index;
      String consumed = "#tc" + index;
      text.name(tokens, LimitField.TOKENS.attribute(limits[index]));
      text.name(consumed, LimitField.CONSUMED.attribute(limits[index]));
      String floor = ":lo" + index;
      String ceiling = ":hi" + index;
      text.demand(
          switch (bounds[index]) {
            case BOTH -> tokens + " BETWEEN " + floor + " AND " + ceiling;
            case FLOOR -> tokens + " >= " + floor;
            case CEILING -> tokens + " <= " + ceiling;
            // Adding to a limit that has gone meanwhile would leave a third of one behind. The
            // refill timestamp does not tell: a write may leave it as it is.
            case NONE -> "attribute_exists(" + tokens + ")";
          });
      text.add(tokens, ":tk" + index);
      text.add(consumed, ":tc" + index);
    }

    private void set(Parameters set, int index, UpdateText.Builder text) {
      if (!Arrays.asList(limits).contains(set.limit())) { // else the change asks already
        text.demand("attribute_exists(" + placeholder(SET_NAME, LimitField.CAPACITY, index) + ")");
      }
      for (LimitField field : PARAMETERS) {
        String name = placeholder(SET_NAME, field, index);
        text.name(name, field.attribute(set.limit()));
        text.setOrRemove(
            field != LimitField.SOFT || set.soft(), name, placeholder(SET, field, index));
      }
    }

    private static void added(Parameters added, int index, UpdateText.Builder text) {
      text.demand(
          "attribute_not_exists(" + placeholder(ADDED_NAME, LimitField.TOKENS, index) + ")");
      for (LimitField field : FIELDS) {
        if (field != LimitField.SOFT || added.soft()) {
          String name = placeholder(ADDED_NAME, field, index);
          text.name(name, field.attribute(added.limit()));
          text.set(name, placeholder(ADDED, field, index));
        }
      }
    }

    private static void removed(Removal removed, int index, UpdateText.Builder text) {
      String tokens = placeholder(REMOVED_NAME, LimitField.TOKENS, index);
      text.demand(
          removed.floored()
              ? tokens + " >= " + REMOVAL_FLOOR + index
              : "attribute_exists(" + tokens + ")");
      for (LimitField field : FIELDS) {
        String name = placeholder(REMOVED_NAME, field, index);
        text.name(name, field.attribute(removed.limit()));
        text.remove(name);
      }
    }
  }
}
