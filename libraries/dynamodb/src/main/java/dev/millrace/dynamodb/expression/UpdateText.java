package dev.millrace.dynamodb.expression;

import dev.millrace.dynamodb.schema.Attributes;
import dev.millrace.dynamodb.schema.BucketAttributes;
import dev.millrace.dynamodb.schema.LimitField;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The text of an update: everything but the values.
 *
 * @param update the update expression
 * @param condition the condition expression
 * @param names which attribute each name placeholder stands for
 */
record UpdateText(String update, String condition, Map<String, String> names) {
  /**
   * Most texts that are kept, of a few hundred bytes each. Past it all are dropped and those in use
   * are rendered again: cheaper than to keep account of use on every write.
   */
  static final int MAX_TEXTS = 1_024;

  /** Rendering is most of what a request costs before it reaches the SDK; shapes are few. */
  private static final ConcurrentMap<UpdateShape, UpdateText> TEXTS = new ConcurrentHashMap<>();

  /** The text of {@code shape}, rendered once. */
  static UpdateText of(UpdateShape shape) {
    UpdateText known = TEXTS.get(shape);
    if (known != null) {
      return known;
    }
    if (TEXTS.size() >= MAX_TEXTS) {
      TEXTS.clear();
    }
    UpdateText text = render(shape);
    TEXTS.put(shape, text);
    return text;
  }

  /** The number of texts that are kept. */
  static int kept() {
    return TEXTS.size();
  }

  static UpdateText render(UpdateShape shape) {
    UpdateClauses clauses = new UpdateClauses();
    item(shape, clauses);
    division(shape.dividing(), clauses);
    if (shape.stamp() != null) {
      stamp(shape.stamp(), clauses);
    }
    for (int i = 0; i < shape.changes().size(); i++) {
      change(shape.changes().get(i), i, clauses);
    }
    for (int i = 0; i < shape.set().size(); i++) {
      set(shape, i, clauses);
    }
    for (int i = 0; i < shape.added().size(); i++) {
      added(shape.added().get(i), i, clauses);
    }
    for (int i = 0; i < shape.removed().size(); i++) {
      removed(shape.removed().get(i), i, clauses);
    }
    if (shape.priced()) {
      clauses.add(BucketAttributes.WCU_TOKENS, Placeholders.ADD_WCU);
    }
    return clauses.toText();
  }

  private static void item(UpdateShape shape, UpdateClauses clauses) {
    String refilledAt = BucketAttributes.REFILLED_AT;
    switch (shape.kind()) {
      case LOCKED -> {
        clauses.demand(refilledAt + " = " + Placeholders.REFILLED_BEFORE);
        // A split or a merge may leave the timestamp as it is.
        level(shape.whole(), clauses);
        clauses.set(refilledAt, Placeholders.REFILLED_AT);
      }
      case CONSUME -> {
        clauses.demand(refilledAt + " >= " + Placeholders.REFILLED_BEFORE);
        level(shape.whole(), clauses);
        // Who switches a bucket off moves the timestamp, which is no lock here.
        clauses.name(Placeholders.OFF_NAME, BucketAttributes.OFF);
        clauses.demand("attribute_not_exists(" + Placeholders.OFF_NAME + ")");
      }
      case ADJUST -> {
        if (shape.changes().isEmpty()) {
          clauses.demand("attribute_exists(" + Attributes.PK + ")");
        }
        if (shape.whole()) {
          level(/* whole= */ true, clauses);
        }
      }
      case RESIZE -> {
        // What is not there is not equal to anything.
        String count = BucketAttributes.SHARD_COUNT;
        clauses.demand(count + " = " + Placeholders.SHARD_COUNT_BEFORE);
        clauses.set(count, Placeholders.SHARD_COUNT);
      }
    }
    clauses.set(BucketAttributes.OP, Placeholders.OP);
    clauses.name(Placeholders.TTL_NAME, Attributes.TTL);
    clauses.setOrRemove(shape.expires(), Placeholders.TTL_NAME, Placeholders.TTL);
  }

  /** Of the whole, no level is stored. */
  private static void level(boolean whole, UpdateClauses clauses) {
    String level = BucketAttributes.SHARD_LEVEL;
    clauses.demand(
        whole
            ? "attribute_not_exists(" + level + ")"
            : level + " = " + Placeholders.SHARD_LEVEL_BEFORE);
  }

  private static void division(UpdateShape.Dividing dividing, UpdateClauses clauses) {
    if (dividing != UpdateShape.Dividing.KEPT) {
      clauses.demand(BucketAttributes.SHARD_COUNT + " = " + Placeholders.SHARD_COUNT_BEFORE);
      clauses.setOrRemove(
          dividing == UpdateShape.Dividing.TO_PART,
          BucketAttributes.SHARD_LEVEL,
          Placeholders.SHARD_LEVEL);
    }
  }

  private static void stamp(UpdateShape.StampParts parts, UpdateClauses clauses) {
    clauses.setOrRemove(
        parts.versioned(), BucketAttributes.CONFIG_VERSIONS, Placeholders.CONFIG_VERSIONS);
    clauses.setOrRemove(parts.levelled(), BucketAttributes.LEVEL, Placeholders.LEVEL);
    clauses.name(Placeholders.OFF_NAME, BucketAttributes.OFF);
    clauses.setOrRemove(parts.off(), Placeholders.OFF_NAME, Placeholders.OFF);
  }

  private static void change(UpdateShape.Change change, int index, UpdateClauses clauses) {
    String tokens = Placeholders.TOKENS_NAME.at(index);
    String consumed = Placeholders.CONSUMED_NAME.at(index);
    clauses.name(tokens, LimitField.TOKENS.attribute(change.limit()));
    clauses.name(consumed, LimitField.CONSUMED.attribute(change.limit()));
    String floor = Placeholders.FLOOR.at(index);
    String ceiling = Placeholders.CEILING.at(index);
    clauses.demand(
        switch (change.bound()) {
          case BOTH -> tokens + " BETWEEN " + floor + " AND " + ceiling;
          case FLOOR -> tokens + " >= " + floor;
          case CEILING -> tokens + " <= " + ceiling;
          // Adding to a limit that has gone meanwhile would leave a third of one behind. The
          // refill timestamp does not tell: a write may leave it as it is.
          case NONE -> "attribute_exists(" + tokens + ")";
        });
    clauses.add(tokens, Placeholders.ADD_TOKENS.at(index));
    clauses.add(consumed, Placeholders.ADD_CONSUMED.at(index));
  }

  private static void set(UpdateShape shape, int index, UpdateClauses clauses) {
    UpdateShape.Parameters set = shape.set().get(index);
    if (!changes(shape, set.limit())) { // else the change asks already
      clauses.demand("attribute_exists(" + Placeholders.setName(LimitField.CAPACITY, index) + ")");
    }
    for (LimitField field : Placeholders.PARAMETERS) {
      String name = Placeholders.setName(field, index);
      clauses.name(name, field.attribute(set.limit()));
      clauses.setOrRemove(
          field != LimitField.SOFT || set.soft(), name, Placeholders.setValue(field, index));
    }
  }

  private static boolean changes(UpdateShape shape, String limit) {
    return shape.changes().stream().anyMatch(change -> change.limit().equals(limit));
  }

  private static void added(UpdateShape.Parameters added, int index, UpdateClauses clauses) {
    clauses.demand(
        "attribute_not_exists(" + Placeholders.addedName(LimitField.TOKENS, index) + ")");
    for (LimitField field : Placeholders.FIELDS) {
      if (field != LimitField.SOFT || added.soft()) {
        String name = Placeholders.addedName(field, index);
        clauses.name(name, field.attribute(added.limit()));
        clauses.set(name, Placeholders.addedValue(field, index));
      }
    }
  }

  private static void removed(UpdateShape.Removal removed, int index, UpdateClauses clauses) {
    String tokens = Placeholders.removedName(LimitField.TOKENS, index);
    clauses.demand(
        removed.floored()
            ? tokens + " >= " + Placeholders.REMOVAL_FLOOR.at(index)
            : "attribute_exists(" + tokens + ")");
    for (LimitField field : Placeholders.FIELDS) {
      String name = Placeholders.removedName(field, index);
      clauses.name(name, field.attribute(removed.limit()));
      clauses.remove(name);
    }
  }
}
