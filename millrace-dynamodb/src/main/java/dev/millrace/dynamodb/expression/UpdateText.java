package dev.millrace.dynamodb.expression;

import dev.millrace.dynamodb.schema.Attributes;
import dev.millrace.dynamodb.schema.BucketAttributes;
import dev.millrace.dynamodb.schema.LimitField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of an update: everything but the values.
 *
 * @param update the update expression
 * @param condition the condition expression
 * @param names which attribute each name placeholder stands for
 */
record UpdateText(String update, String condition, Map<String, String> names) {
  private static final String AND = " AND ";

  static UpdateText render(UpdateShape shape) {
    Map<String, String> names = new LinkedHashMap<>();
    List<String> condition = new ArrayList<>();
    List<String> set = new ArrayList<>();
    List<String> add = new ArrayList<>();
    List<String> remove = new ArrayList<>();

    item(shape, names, condition, set, remove);
    for (int i = 0; i < shape.changes().size(); i++) {
      change(shape.changes().get(i), i, names, condition, add);
    }
    for (int i = 0; i < shape.set().size(); i++) {
      if (!changes(shape, shape.set().get(i))) { // else the change asks already
        condition.add("attribute_exists(" + Placeholders.setName(LimitField.CAPACITY, i) + ")");
      }
      for (LimitField field : Placeholders.PARAMETERS) {
        String name = Placeholders.setName(field, i);
        names.put(name, field.attribute(shape.set().get(i)));
        set.add(name + " = " + Placeholders.setValue(field, i));
      }
    }
    for (int i = 0; i < shape.added().size(); i++) {
      condition.add("attribute_not_exists(" + Placeholders.addedName(LimitField.TOKENS, i) + ")");
      for (LimitField field : Placeholders.FIELDS) {
        String name = Placeholders.addedName(field, i);
        names.put(name, field.attribute(shape.added().get(i)));
        set.add(name + " = " + Placeholders.addedValue(field, i));
      }
    }
    for (int i = 0; i < shape.removed().size(); i++) {
      condition.add(
          Placeholders.removedName(LimitField.TOKENS, i)
              + " >= "
              + Placeholders.REMOVAL_FLOOR.at(i));
      for (LimitField field : Placeholders.FIELDS) {
        String name = Placeholders.removedName(field, i);
        names.put(name, field.attribute(shape.removed().get(i)));
        remove.add(name);
      }
    }
    return new UpdateText(update(set, add, remove), String.join(AND, condition), Map.copyOf(names));
  }

  private static boolean changes(UpdateShape shape, String limit) {
    return shape.changes().stream().anyMatch(change -> change.limit().equals(limit));
  }

  private static void item(
      UpdateShape shape,
      Map<String, String> names,
      List<String> condition,
      List<String> set,
      List<String> remove) {
    String refilledAt = BucketAttributes.REFILLED_AT;
    switch (shape.kind()) {
      case LOCKED -> {
        condition.add(refilledAt + " = " + Placeholders.REFILLED_BEFORE);
        set.add(refilledAt + " = " + Placeholders.REFILLED_AT);
      }
      case CONSUME -> condition.add(refilledAt + " >= " + Placeholders.REFILLED_BEFORE);
      case ADJUST -> {
        if (shape.changes().isEmpty()) {
          condition.add("attribute_exists(" + Attributes.PK + ")");
        }
      }
    }
    set.add(BucketAttributes.OP + " = " + Placeholders.OP);
    names.put(Placeholders.TTL_NAME, Attributes.TTL);
    if (shape.expires()) {
      set.add(Placeholders.TTL_NAME + " = " + Placeholders.TTL);
    } else {
      remove.add(Placeholders.TTL_NAME);
    }
  }

  private static void change(
      UpdateShape.Change change,
      int index,
      Map<String, String> names,
      List<String> condition,
      List<String> add) {
    String tokens = Placeholders.TOKENS_NAME.at(index);
    String consumed = Placeholders.CONSUMED_NAME.at(index);
    names.put(tokens, LimitField.TOKENS.attribute(change.limit()));
    names.put(consumed, LimitField.CONSUMED.attribute(change.limit()));
    String floor = Placeholders.FLOOR.at(index);
    String ceiling = Placeholders.CEILING.at(index);
    condition.add(
        switch (change.bound()) {
          case BOTH -> tokens + " BETWEEN " + floor + AND + ceiling;
          case FLOOR -> tokens + " >= " + floor;
          case CEILING -> tokens + " <= " + ceiling;
          // Adding to a limit that has gone meanwhile would leave a third of one behind. The
          // refill timestamp does not tell: a write may leave it as it is.
          case NONE -> "attribute_exists(" + tokens + ")";
        });
    add.add(tokens + " " + Placeholders.ADD_TOKENS.at(index));
    add.add(consumed + " " + Placeholders.ADD_CONSUMED.at(index));
  }

  private static String update(List<String> set, List<String> add, List<String> remove) {
    StringBuilder text = new StringBuilder();
    clause(text, "SET ", set);
    clause(text, " ADD ", add);
    clause(text, " REMOVE ", remove);
    return text.toString();
  }

  private static void clause(StringBuilder text, String keyword, List<String> parts) {
    if (!parts.isEmpty()) {
      text.append(keyword).append(String.join(", ", parts));
    }
  }
}
