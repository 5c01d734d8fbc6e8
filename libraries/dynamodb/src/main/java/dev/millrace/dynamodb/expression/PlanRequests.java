package dev.millrace.dynamodb.expression;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.BucketState.Division;
import dev.millrace.core.bucket.BucketState.LimitState;
import dev.millrace.core.config.ConfigLevel;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.ConfigStamp.RecordVersions;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.item.BucketCodec;
import dev.millrace.dynamodb.item.StoredLimit;
import dev.millrace.dynamodb.item.StoredNumber;
import dev.millrace.dynamodb.schema.Attributes;
import dev.millrace.dynamodb.schema.BucketAttributes;
import dev.millrace.dynamodb.schema.LimitField;
import dev.millrace.dynamodb.schema.StoredLevel;
import dev.millrace.dynamodb.schema.StoredVersions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Plans as requests. Each one asks for the item either way, applied or refused, so that after the
 * first contact nobody needs to read.
 */
public final class PlanRequests {
  /** The condition of what must not be there yet. */
  static final String NEW_ITEM = "attribute_not_exists(" + Attributes.PK + ")";

  /** Values of an update besides those of its limits, and values of each limit that is changed. */
  private static final int ITEM_VALUES = 6;

  private static final int CHANGE_VALUES = 4;

  private static final String SAME_OP = BucketAttributes.OP + " = " + Placeholders.OP_BEFORE;

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

  /** Of every plan that changes a bucket, and neither creates nor removes it. */
  public static UpdateItemRequest.Builder update(String table, WritePlan plan) {
    if (plan instanceof WritePlan.Locked locked) {
      return update(table, locked);
    }
    if (plan instanceof WritePlan.Consume consume) {
      return update(table, consume);
    }
    if (plan instanceof WritePlan.Adjust adjust) {
      return update(table, adjust);
    }
    if (plan instanceof WritePlan.Resize resize) {
      return update(table, resize);
    }
    throw new IllegalArgumentException("not an update: " + plan);
  }

  /** Claims and consumes under the lock; changes the limits themselves where planned. */
  public static UpdateItemRequest.Builder update(String table, WritePlan.Locked plan) {
    WritePlan.Parameters parameters = plan.parameters();
    Map<String, AttributeValue> values = values(plan.changes().size() + sizeOf(parameters));
    values.put(Placeholders.REFILLED_BEFORE, StoredNumber.of(plan.expectedRefilledAtMs()));
    values.put(Placeholders.REFILLED_AT, StoredNumber.of(plan.refilledAtMs()));
    putLevel(values, plan.level());
    putChanges(values, plan.changes());
    putWcu(values, plan.addWcuMilli());
    if (!parameters.isUnchanged()) {
      putParameters(values, parameters);
    }
    return update(table, plan, UpdateShape.of(plan), plan.expiresAtSeconds(), values);
  }

  /** Consumes without the lock. */
  public static UpdateItemRequest.Builder update(String table, WritePlan.Consume plan) {
    Map<String, AttributeValue> values = values(plan.changes().size());
    values.put(Placeholders.REFILLED_BEFORE, StoredNumber.of(plan.minRefilledAtMs()));
    putLevel(values, plan.level());
    putChanges(values, plan.changes());
    putWcu(values, plan.addWcuMilli());
    return update(table, plan, UpdateShape.of(plan), plan.expiresAtSeconds(), values);
  }

  /** Charges or gives back, whatever the balance. */
  public static UpdateItemRequest.Builder update(String table, WritePlan.Adjust plan) {
    Map<String, AttributeValue> values = values(plan.changes().size());
    putChanges(values, plan.changes());
    putWcu(values, plan.addWcuMilli());
    return update(table, plan, UpdateShape.of(plan), plan.expiresAtSeconds(), values);
  }

  /** Changes how many shards there should be. */
  public static UpdateItemRequest.Builder update(String table, WritePlan.Resize plan) {
    Map<String, AttributeValue> values = values(/* limits= */ 0);
    values.put(Placeholders.SHARD_COUNT_BEFORE, StoredNumber.of(plan.expectedCount()));
    values.put(Placeholders.SHARD_COUNT, StoredNumber.of(plan.count()));
    putWcu(values, plan.addWcuMilli());
    return update(table, plan, UpdateShape.of(plan), BucketState.NEVER, values);
  }

  /** Takes a shard away, as part of a transaction. */
  public static Delete.Builder remove(String table, WritePlan.Remove plan) {
    String expected = plan.expectedOp();
    return Delete.builder()
        .tableName(table)
        .key(BucketCodec.key(plan.key()))
        .conditionExpression(expected.isEmpty() ? NO_OP : SAME_OP)
        .expressionAttributeValues(Map.of(Placeholders.OP_BEFORE, AttributeValue.fromS(expected)))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  private static UpdateItemRequest.Builder update(
      String table,
      WritePlan plan,
      UpdateShape shape,
      long expiresAtSeconds,
      Map<String, AttributeValue> values) {
    values.put(Placeholders.OP, AttributeValue.fromS(plan.op()));
    if (expiresAtSeconds != BucketState.NEVER) {
      values.put(Placeholders.TTL, StoredNumber.of(expiresAtSeconds));
    }
    UpdateText text = UpdateText.of(shape);
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(BucketCodec.key(plan.key()))
        .updateExpression(text.update())
        .conditionExpression(text.condition())
        .expressionAttributeNames(text.names())
        .expressionAttributeValues(values)
        .returnValues(ReturnValue.ALL_NEW)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  private static Map<String, AttributeValue> values(int limits) {
    int size = ITEM_VALUES + limits * CHANGE_VALUES;
    return new HashMap<>(size * 4 / 3 + 1); // up: filled to no more than three quarters
  }

  private static int sizeOf(WritePlan.Parameters parameters) {
    int limits =
        parameters.set().size() + 2 * parameters.added().size() + parameters.removed().size();
    int stamp = parameters.stamp() == null ? 0 : 1; // as large as a limit
    return limits + stamp + (parameters.division() == null ? 0 : 1);
  }

  private static void putLevel(Map<String, AttributeValue> values, int level) {
    if (level != 1) {
      values.put(Placeholders.SHARD_LEVEL_BEFORE, StoredNumber.of(level));
    }
  }

  private static void putWcu(Map<String, AttributeValue> values, long addWcuMilli) {
    if (addWcuMilli != 0) {
      values.put(Placeholders.ADD_WCU, StoredNumber.of(addWcuMilli));
    }
  }

  private static void putChanges(Map<String, AttributeValue> values, List<LimitChange> changes) {
    for (int i = 0; i < changes.size(); i++) {
      LimitChange change = changes.get(i);
      values.put(Placeholders.ADD_TOKENS.at(i), StoredNumber.of(change.addTokensMilli()));
      values.put(Placeholders.ADD_CONSUMED.at(i), StoredNumber.of(change.addConsumedMilli()));
      if (change.hasFloor()) {
        values.put(Placeholders.FLOOR.at(i), StoredNumber.of(change.minTokensMilli()));
      }
      if (change.hasCeiling()) {
        values.put(Placeholders.CEILING.at(i), StoredNumber.of(change.maxTokensMilli()));
      }
    }
  }

  private static void putParameters(
      Map<String, AttributeValue> values, WritePlan.Parameters parameters) {
    for (int i = 0; i < parameters.set().size(); i++) {
      Limit limit = parameters.set().get(i);
      for (LimitField field : Placeholders.PARAMETERS) {
        if (field != LimitField.SOFT || limit.soft()) {
          values.put(Placeholders.setValue(field, i), StoredLimit.of(limit, field));
        }
      }
    }
    for (int i = 0; i < parameters.added().size(); i++) {
      LimitState added = parameters.added().get(i);
      for (LimitField field : Placeholders.FIELDS) {
        if (field != LimitField.SOFT || added.limit().soft()) {
          values.put(Placeholders.addedValue(field, i), StoredLimit.of(added, field));
        }
      }
    }
    for (int i = 0; i < parameters.removed().size(); i++) {
      long minTokensMilli = parameters.removed().get(i).minTokensMilli();
      if (minTokensMilli != LimitChange.NO_FLOOR) {
        values.put(Placeholders.REMOVAL_FLOOR.at(i), StoredNumber.of(minTokensMilli));
      }
    }
    if (parameters.stamp() != null) {
      putStamp(values, parameters.stamp());
    }
    if (parameters.division() != null) {
      putDivision(values, parameters.division());
    }
  }

  private static void putDivision(Map<String, AttributeValue> values, Division division) {
    values.put(Placeholders.SHARD_COUNT_BEFORE, StoredNumber.of(division.count()));
    if (!division.isWhole()) {
      values.put(Placeholders.SHARD_LEVEL, StoredNumber.of(division.level()));
    }
  }

  private static void putStamp(Map<String, AttributeValue> values, ConfigStamp stamp) {
    if (!stamp.versions().equals(RecordVersions.NONE)) {
      String versions = StoredVersions.text(stamp.versions());
      values.put(Placeholders.CONFIG_VERSIONS, AttributeValue.fromS(versions));
    }
    if (stamp.level() != ConfigLevel.CALL) {
      values.put(Placeholders.LEVEL, AttributeValue.fromS(StoredLevel.letter(stamp.level())));
    }
    if (stamp.disabled()) {
      values.put(Placeholders.OFF, StoredLimit.FLAG);
    }
  }
}
