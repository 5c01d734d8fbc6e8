package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import dev.millrace.dynamodb.internal.expression.TransactionRequests;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The requests of a carry-over. */
public final class OldBucketRequests {
  private OldBucketRequests() {}

  /**
   * Everything that a bucket had before there were shards, of either version, strongly consistent.
   * One page: more than that makes no sense, and is refused by its number.
   */
  public static QueryRequest.Builder find(String table, BucketKey key) {
    return QueryRequest.builder()
        .tableName(table)
        .keyConditionExpression(
            Attributes.PK + " = :p AND " + Attributes.SK + " BETWEEN :first AND :last")
        .expressionAttributeValues(
            Map.of(
                ":p", AttributeValue.fromS(OldBucketAddress.partition(key)),
                ":first", AttributeValue.fromS(OldBucketAddress.first(key)),
                ":last", AttributeValue.fromS(OldBucketAddress.last(key))))
        .limit(OldItems.MAX_PER_LIMIT + 2)
        .consistentRead(true)
        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
  }

  /** The transaction of a plan. It needs no token: made twice, the second time is refused. */
  public static TransactWriteItemsRequest.Builder transaction(CarryPlan plan) {
    return TransactWriteItemsRequest.builder()
        .transactItems(plan.parts())
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  /** Write units that a plan costs at least. */
  public static int leastWriteUnits(CarryPlan plan) {
    return plan.parts().stream().mapToInt(TransactionRequests::leastWriteUnits).sum();
  }
}
