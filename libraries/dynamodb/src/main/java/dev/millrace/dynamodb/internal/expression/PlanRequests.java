package dev.millrace.dynamodb.internal.expression;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.StoredLimit;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.StoredLevel;
import dev.millrace.dynamodb.internal.schema.StoredVersions;
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
 * first contact no read is needed.
 */
public final class PlanRequests {
  /** The condition of what must not be there yet. */
  static final String NEW_ITEM = "attribute_not_exists(" + Attributes.PK + ")";

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

  /** Of every plan that changes a bucket, and neither creates nor removes it. */
  public static UpdateItemRequest.Builder update(String table, WritePlan plan) {
    if (plan instanceof WritePlan.Locked locked) {
      return locked(table, locked);
    }
    if (plan instanceof WritePlan.Consume consume) {
      return consume(table, consume);
    }
    if (plan instanceof WritePlan.Adjust adjust) {
      return adjust(table, adjust);
    }
    if (plan instanceof WritePlan.Resize resize) {
      return resize(table, resize);
    }
    throw new IllegalArgumentException("not an update: " + plan);
  }

  /** Claims and consumes under the lock; changes the limits themselves where planned. */
  private static UpdateItemRequest.Builder locked(String table, WritePlan.Locked plan) {
    long expectedRefilledAtMs = plan.expectedRefilledAtMs();
    long refilledAtMs = plan.refilledAtMs();
    int level = plan.level();
    List<LimitChange> changes = plan.changes();
    long addWcuMilli = plan.addWcuMilli();
    long expiresAtSeconds = plan.expiresAtSeconds();
    WritePlan.Parameters parameters = plan.parameters();
    boolean altered = !parameters.isUnchanged();
    UpdateTemplate text =
        UpdateTemplate.of(
            UpdateTemplate.Condition.LOCKED,
            expiresAtSeconds != BucketState.NEVER,
            level == 1,
            addWcuMilli != 0,
            changes,
            altered ? parameters : null);
    Map<String, AttributeValue> values = values(changes, addWcuMilli, expiresAtSeconds, text);
    put(values, UpdateTemplate.REFILLED_BEFORE, expectedRefilledAtMs);
    put(values, UpdateTemplate.REFILLED_AT, refilledAtMs);
    if (level != 1) {
      put(values, UpdateTemplate.SHARD_LEVEL_BEFORE, level);
    }
    if (altered) {
      putParameters(values, parameters);
    }
    return request(table, plan, text, values);
  }

  /** Consumes without the lock. */
  private static UpdateItemRequest.Builder consume(String table, WritePlan.Consume plan) {
    long minRefilledAtMs = plan.minRefilledAtMs();
    int level = plan.level();
    List<LimitChange> changes = plan.changes();
    long addWcuMilli = plan.addWcuMilli();
    long expiresAtSeconds = plan.expiresAtSeconds();
    UpdateTemplate text =
        UpdateTemplate.of(
            UpdateTemplate.Condition.CONSUME,
            expiresAtSeconds != BucketState.NEVER,
            level == 1,
            addWcuMilli != 0,
            changes,
            null);
    Map<String, AttributeValue> values = values(changes, addWcuMilli, expiresAtSeconds, text);
    put(values, UpdateTemplate.REFILLED_BEFORE, minRefilledAtMs);
    if (level != 1) {
      put(values, UpdateTemplate.SHARD_LEVEL_BEFORE, level);
    }
    return request(table, plan, text, values);
  }

  /** Charges or gives back, whatever the balance. */
  private static UpdateItemRequest.Builder adjust(String table, WritePlan.Adjust plan) {
    List<LimitChange> changes = plan.changes();
    long addWcuMilli = plan.addWcuMilli();
    long expiresAtSeconds = plan.expiresAtSeconds();
    boolean expires = expiresAtSeconds != BucketState.NEVER;
    UpdateTemplate text =
        UpdateTemplate.of(
            UpdateTemplate.Condition.ADJUST,
            expires,
            /* whole= */ expires,
            addWcuMilli != 0,
            changes,
            null);
    return request(table, plan, text, values(changes, addWcuMilli, expiresAtSeconds, text));
  }

  /** Changes how many shards there should be. */
  private static UpdateItemRequest.Builder resize(String table, WritePlan.Resize plan) {
    long addWcuMilli = plan.addWcuMilli();
    UpdateTemplate text =
        UpdateTemplate.of(
            UpdateTemplate.Condition.RESIZE,
            /* expires= */ false,
            /* whole= */ false,
            addWcuMilli != 0,
            List.of(),
            null);
    Map<String, AttributeValue> values = values(List.of(), addWcuMilli, BucketState.NEVER, text);
    put(values, UpdateTemplate.SHARD_COUNT_BEFORE, plan.expectedCount());
    put(values, UpdateTemplate.SHARD_COUNT, plan.count());
    return request(table, plan, text, values);
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

  private static UpdateItemRequest.Builder request(
      String table, WritePlan plan, UpdateTemplate text, Map<String, AttributeValue> values) {
    values.put(UpdateTemplate.OP, AttributeValue.fromS(plan.op()));
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(BucketCodec.key(plan.key()))
        .updateExpression(text.update)
        .conditionExpression(text.condition)
        .expressionAttributeNames(text.names)
        .expressionAttributeValues(values)
        .returnValues(ReturnValue.ALL_NEW)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  /** The values of an update that do not depend on its condition; others may be put. */
  private static Map<String, AttributeValue> values(
      List<LimitChange> changes, long addWcuMilli, long expiresAtSeconds, UpdateTemplate text) {
    int size = ITEM_VALUES + changes.size() * CHANGE_VALUES;
    // up: filled to no more than three quarters
    Map<String, AttributeValue> values = new HashMap<>(size * 4 / 3 + 1);
    if (expiresAtSeconds != BucketState.NEVER) {
      put(values, UpdateTemplate.TTL, expiresAtSeconds);
    }
    if (addWcuMilli != 0) {
      put(values, UpdateTemplate.ADD_WCU, addWcuMilli);
    }
    for (int i = 0; i < changes.size(); i++) {
      LimitChange change = changes.get(i);
      long addTokensMilli = change.addTokensMilli();
      long addConsumedMilli = change.addConsumedMilli();
      long minTokensMilli = change.minTokensMilli();
      long maxTokensMilli = change.maxTokensMilli();
      put(values, text.addTokens[i], addTokensMilli);
      put(values, text.addConsumed[i], addConsumedMilli);
      if (minTokensMilli != LimitChange.NO_FLOOR) {
        put(values, text.floors[i], minTokensMilli);
      }
      if (maxTokensMilli != LimitChange.NO_CEILING) {
        put(values, text.ceilings[i], maxTokensMilli);
      }
    }
    return values;
  }

  private static void put(Map<String, AttributeValue> values, String placeholder, long value) {
    values.put(placeholder, AttributeValue.fromN(Long.toString(value)));
  }

  private static void putParameters(
      Map<String, AttributeValue> values, WritePlan.Parameters parameters) {
    for (int i = 0; i < parameters.set().size(); i++) {
      Limit limit = parameters.set().get(i);
      for (LimitField field : UpdateTemplate.PARAMETERS) {
        if (field != LimitField.SOFT || limit.soft()) {
          values.put(
              UpdateTemplate.placeholder(UpdateTemplate.SET, field, i),
              StoredLimit.of(limit, field));
        }
      }
    }
    for (int i = 0; i < parameters.added().size(); i++) {
      LimitState added = parameters.added().get(i);
      for (LimitField field : UpdateTemplate.FIELDS) {
        if (field != LimitField.SOFT || added.limit().soft()) {
          values.put(
              UpdateTemplate.placeholder(UpdateTemplate.ADDED, field, i),
              StoredLimit.of(added, field));
        }
      }
    }
    for (int i = 0; i < parameters.removed().size(); i++) {
      long minTokensMilli = parameters.removed().get(i).minTokensMilli();
      if (minTokensMilli != LimitChange.NO_FLOOR) {
        put(values, UpdateTemplate.REMOVAL_FLOOR + i, minTokensMilli);
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
    put(values, UpdateTemplate.SHARD_COUNT_BEFORE, division.count());
    if (!division.isWhole()) {
      put(values, UpdateTemplate.SHARD_LEVEL, division.level());
    }
  }

  private static void putStamp(Map<String, AttributeValue> values, ConfigStamp stamp) {
    if (!stamp.versions().equals(RecordVersions.NONE)) {
      String versions = StoredVersions.text(stamp.versions());
      values.put(UpdateTemplate.CONFIG_VERSIONS, AttributeValue.fromS(versions));
    }
    if (stamp.level() != ConfigLevel.CALL) {
      values.put(UpdateTemplate.LEVEL, AttributeValue.fromS(StoredLevel.letter(stamp.level())));
    }
    if (stamp.disabled()) {
      values.put(UpdateTemplate.OFF, StoredLimit.FLAG);
    }
  }
}
