package dev.millrace.dynamodb.internal.expression;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.internal.expression.UpdateTemplate.Condition;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.StampCodec;
import dev.millrace.dynamodb.internal.item.StoredLimit;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.LimitField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Plans as requests. Each one requests the item either way, applied or refused, so that after the
 * first contact no read is needed.
 */
public final class PlanRequests {
  public static final String NEW_ITEM = "attribute_not_exists(" + Attributes.PK + ")";

  /**
   * Most templates that are kept, of a few hundred bytes each, and the number of places where one
   * may be. One that finds all its places taken replaces the first.
   */
  static final int MAX_TEMPLATES = 1_024;

  private static final int PLACES = 4;

  /**
   * Rendering is most of what a request costs before it reaches the SDK, and shapes are few. Not a
   * map: a write would allocate a key for each look-up.
   */
  private static final AtomicReferenceArray<@Nullable UpdateTemplate> TEMPLATES =
      new AtomicReferenceArray<>(MAX_TEMPLATES);

  /** Most values of an update besides those of its limits, and of each limit that is changed. */
  private static final int ITEM_VALUES = 6;

  private static final int CHANGE_VALUES = 4;
  private static final String SAME_OP = BucketAttributes.OP + " = " + UpdateTemplate.OP_BEFORE;

  /** A bucket without an id of its last write is one whose id is empty. */
  private static final String NO_OP =
      "attribute_exists("
          + Attributes.PK
          + ") AND (attribute_not_exists("
          + BucketAttributes.OP
          + ") OR "
          + SAME_OP
          + ")";

  private PlanRequests() {}

  /** Reads a bucket, strongly consistent. */
  public static GetItemRequest.Builder read(String table, BucketKey key) {
    return GetItemRequest.builder()
        .tableName(table)
        .key(BucketCodec.key(key))
        .consistentRead(true)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  /** Puts a bucket where there is none. */
  public static PutItemRequest.Builder create(String table, WritePlan.Create plan) {
    return PutItemRequest.builder()
        .tableName(table)
        .item(BucketCodec.encode(plan.state()))
        .conditionExpression(NEW_ITEM)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  /** Takes a shard away, as part of a transaction. */
  public static Delete.Builder remove(String table, WritePlan.Remove plan) {
    String expected = plan.expectedOp();
    return Delete.builder()
        .tableName(table)
        .key(BucketCodec.key(plan.key()))
        .conditionExpression(expected.isEmpty() ? NO_OP : SAME_OP)
        .expressionAttributeValues(Map.of(UpdateTemplate.OP_BEFORE, AttributeValue.fromS(expected)))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  public static UpdateItemRequest.Builder update(String table, WritePlan plan) {
    Update update;
    if (plan instanceof WritePlan.Locked locked) {
      update = locked(locked);
    } else if (plan instanceof WritePlan.Consume consume) {
      int level = consume.level();
      long minRefilledAtMs = consume.minRefilledAtMs();
      update =
          new Update(
              Condition.CONSUME,
              level == 1,
              consume.changes(),
              consume.addWcuMilli(),
              consume.expiresAtSeconds(),
              null);
      update.put(UpdateTemplate.REFILLED_BEFORE, minRefilledAtMs);
      update.putLevel(level);
    } else if (plan instanceof WritePlan.Adjust adjust) {
      long expiresAtSeconds = adjust.expiresAtSeconds();
      update =
          new Update(
              Condition.ADJUST,
              /* whole= */ expiresAtSeconds != BucketState.NEVER,
              adjust.changes(),
              adjust.addWcuMilli(),
              expiresAtSeconds,
              null);
    } else if (plan instanceof WritePlan.Resize resize) {
      update =
          new Update(
              Condition.RESIZE,
              /* whole= */ false,
              List.of(),
              resize.addWcuMilli(),
              BucketState.NEVER,
              null);
      update.put(UpdateTemplate.SHARD_COUNT_BEFORE, resize.expectedCount());
      update.put(UpdateTemplate.SHARD_COUNT, resize.count());
    } else {
      throw new IllegalArgumentException("not an update: " + plan);
    }
    update.values.put(UpdateTemplate.OP, AttributeValue.fromS(plan.op()));
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(BucketCodec.key(plan.key()))
        .updateExpression(update.template.update)
        .conditionExpression(update.template.requirement)
        .expressionAttributeNames(update.template.names)
        .expressionAttributeValues(update.values)
        .returnValues(ReturnValue.ALL_NEW)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  private static Update locked(WritePlan.Locked plan) {
    int level = plan.level();
    long expectedRefilledAtMs = plan.expectedRefilledAtMs();
    long refilledAtMs = plan.refilledAtMs();
    WritePlan.Parameters parameters = plan.parameters();
    boolean altered = !parameters.isUnchanged();
    Update update =
        new Update(
            Condition.LOCKED,
            level == 1,
            plan.changes(),
            plan.addWcuMilli(),
            plan.expiresAtSeconds(),
            altered ? parameters : null);
    update.put(UpdateTemplate.REFILLED_BEFORE, expectedRefilledAtMs);
    update.put(UpdateTemplate.REFILLED_AT, refilledAtMs);
    update.putLevel(level);
    if (altered) {
      update.putParameters(parameters);
    }
    return update;
  }

  /** An update while it is put together: the text of its shape and the values in it. */
  private static final class Update {
    private final UpdateTemplate template;
    private final Map<String, AttributeValue> values;

    Update(
        Condition condition,
        boolean whole,
        List<LimitChange> changes,
        long addWcuMilli,
        long expiresAtSeconds,
        WritePlan.@Nullable Parameters parameters) {
      boolean expires = expiresAtSeconds != BucketState.NEVER;
      int limits = changes.size();
      template = template(condition, expires, whole, addWcuMilli != 0, changes, parameters);
      // up: filled to no more than three quarters
      values = new HashMap<>((ITEM_VALUES + limits * CHANGE_VALUES) * 4 / 3 + 1);
      if (expires) {
        put(UpdateTemplate.TTL, expiresAtSeconds);
      }
      if (addWcuMilli != 0) {
        put(UpdateTemplate.ADD_WCU, addWcuMilli);
      }
      for (int i = 0; i < limits; i++) {
        LimitChange change = changes.get(i);
        long addTokensMilli = change.addTokensMilli();
        long addConsumedMilli = change.addConsumedMilli();
        long minTokensMilli = change.minTokensMilli();
        long maxTokensMilli = change.maxTokensMilli();
        put(template.addTokens[i], addTokensMilli);
        put(template.addConsumed[i], addConsumedMilli);
        if (template.floored[i]) {
          put(template.floors[i], minTokensMilli);
        }
        if (template.capped[i]) {
          put(template.ceilings[i], maxTokensMilli);
        }
      }
    }

    void put(String placeholder, long value) {
      values.put(placeholder, AttributeValue.fromN(Long.toString(value)));
    }

    /** Of the whole, no level is stored. */
    void putLevel(int level) {
      if (level != 1) {
        put(UpdateTemplate.SHARD_LEVEL_BEFORE, level);
      }
    }

    void putParameters(WritePlan.Parameters parameters) {
      for (int i = 0; i < parameters.set().size(); i++) {
        Limit limit = parameters.set().get(i);
        for (LimitField field : UpdateTemplate.PARAMETERS) {
          if (field != LimitField.SOFT || limit.soft()) {
            String placeholder = UpdateTemplate.placeholder(UpdateTemplate.SET, field, i);
            values.put(placeholder, StoredLimit.of(limit, field));
          }
        }
      }
      for (int i = 0; i < parameters.added().size(); i++) {
        LimitState added = parameters.added().get(i);
        for (LimitField field : UpdateTemplate.FIELDS) {
          if (field != LimitField.SOFT || added.limit().soft()) {
            String placeholder = UpdateTemplate.placeholder(UpdateTemplate.ADDED, field, i);
            values.put(placeholder, StoredLimit.of(added, field));
          }
        }
      }
      for (int i = 0; i < parameters.removed().size(); i++) {
        long minTokensMilli = parameters.removed().get(i).minTokensMilli();
        if (minTokensMilli != LimitChange.NO_FLOOR) {
          put(UpdateTemplate.REMOVAL_FLOOR + i, minTokensMilli);
        }
      }
      if (parameters.stamp() != null) {
        StampCodec.put(
            parameters.stamp(),
            UpdateTemplate.CONFIG_VERSIONS,
            UpdateTemplate.LEVEL,
            UpdateTemplate.OFF,
            values);
      }
      Division division = parameters.division();
      if (division != null) {
        put(UpdateTemplate.SHARD_COUNT_BEFORE, division.count());
        if (!division.isWhole()) {
          put(UpdateTemplate.SHARD_LEVEL, division.level());
        }
      }
    }
  }

  /** The template of an update, rendered when it is the first one of its shape. */
  private static UpdateTemplate template(
      Condition condition,
      boolean expires,
      boolean whole,
      boolean priced,
      List<LimitChange> changes,
      WritePlan.@Nullable Parameters parameters) {
    List<String> alteration =
        parameters == null ? List.of() : UpdateTemplate.alteration(parameters);
    int hash = condition.hashCode() + (expires ? 4 : 0) + (whole ? 2 : 0) + (priced ? 1 : 0);
    hash = hash * 31 + alteration.hashCode();
    for (int i = 0; i < changes.size(); i++) {
      LimitChange change = changes.get(i);
      hash = hash * 31 + change.name().hashCode();
      hash += change.minTokensMilli() == LimitChange.NO_FLOOR ? 0 : 7;
      hash += change.maxTokensMilli() == LimitChange.NO_CEILING ? 0 : 13;
    }
    int first = hash ^ (hash >>> 16);
    int place = first;
    for (int i = 0; i < PLACES; i++) {
      UpdateTemplate known = TEMPLATES.get((first + i) & (MAX_TEMPLATES - 1));
      if (known == null) {
        place = first + i;
        break;
      }
      if (known.condition == condition
          && known.expires == expires
          && known.whole == whole
          && known.priced == priced
          && known.alteration.equals(alteration)
          && hasChanges(known, changes)) {
        return known;
      }
    }
    UpdateTemplate template =
        new UpdateTemplate(condition, expires, whole, priced, changes, parameters);
    TEMPLATES.set(place & (MAX_TEMPLATES - 1), template);
    return template;
  }

  private static boolean hasChanges(UpdateTemplate template, List<LimitChange> changes) {
    if (template.limits.length != changes.size()) {
      return false;
    }
    for (int i = 0; i < template.limits.length; i++) {
      LimitChange change = changes.get(i);
      if (!template.limits[i].equals(change.name())
          || template.floored[i] != (change.minTokensMilli() != LimitChange.NO_FLOOR)
          || template.capped[i] != (change.maxTokensMilli() != LimitChange.NO_CEILING)) {
        return false;
      }
    }
    return true;
  }
}
