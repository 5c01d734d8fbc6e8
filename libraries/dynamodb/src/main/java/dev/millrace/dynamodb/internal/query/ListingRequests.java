package dev.millrace.dynamodb.internal.query;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.dynamodb.internal.schema.Attributes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** Pages of listings as requests. */
public final class ListingRequests {
  private static final String KEYS_ONLY = Attributes.PK + ", " + Attributes.SK;

  private ListingRequests() {}

  /** One page of a part of a partition; consistent unless it is of an index, which cannot be. */
  public static QueryRequest.Builder query(
      String table, ListingPlan.Query plan, int pageSize, @Nullable String cursor) {
    Map<String, String> names = new HashMap<>();
    Map<String, AttributeValue> values = new HashMap<>();
    QueryRequest.Builder request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression(keyCondition(plan, names, values))
            .expressionAttributeNames(names)
            .expressionAttributeValues(values)
            .scanIndexForward(!plan.newestFirst())
            .limit(limit(plan, pageSize))
            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
    if (plan.index() == null) {
      request.consistentRead(true);
    } else {
      request.indexName(plan.index().indexName());
    }
    if (plan.shape() == ListingPlan.Shape.ITEMS) {
      request.projectionExpression(KEYS_ONLY);
    }
    return cursor == null ? request : request.exclusiveStartKey(Cursor.parse(plan, cursor));
  }

  /**
   * One page of the whole table, consistent: what a purge does not see would stay for ever. The
   * page size is how many items are looked at, whatever they are.
   */
  public static ScanRequest.Builder scan(
      String table, ListingPlan.Scan plan, int pageSize, @Nullable String cursor) {
    ScanRequest.Builder request =
        ScanRequest.builder()
            .tableName(table)
            .projectionExpression(KEYS_ONLY)
            .consistentRead(true)
            .limit(limit(plan, pageSize))
            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
    if (!plan.prefix().isEmpty()) {
      request
          .filterExpression("begins_with(" + Attributes.PK + ", :prefix)")
          .expressionAttributeValues(Map.of(":prefix", AttributeValue.fromS(plan.prefix())));
    }
    return cursor == null ? request : request.exclusiveStartKey(Cursor.parse(plan, cursor));
  }

  private static String keyCondition(
      ListingPlan.Query plan, Map<String, String> names, Map<String, AttributeValue> values) {
    names.put("#p", plan.index() == null ? Attributes.PK : plan.index().partitionKey());
    values.put(":p", AttributeValue.fromS(plan.partition()));
    ListingPlan.SortRange sort = plan.sort();
    if (sort.kind() == ListingPlan.SortRange.Kind.ALL) {
      return "#p = :p";
    }
    names.put("#s", plan.index() == null ? Attributes.SK : plan.index().sortKey());
    if (!sort.from().isEmpty()) {
      values.put(":from", AttributeValue.fromS(sort.from()));
    }
    if (!sort.to().isEmpty()) {
      values.put(":to", AttributeValue.fromS(sort.to()));
    }
    return switch (sort.kind()) {
      case PREFIX -> "#p = :p AND begins_with(#s, :from)";
      case FROM -> "#p = :p AND #s >= :from";
      case TO -> "#p = :p AND #s <= :to";
      case BETWEEN -> "#p = :p AND #s BETWEEN :from AND :to";
      case ALL -> throw new AssertionError(sort);
    };
  }

  /** DynamoDB ends a page at a megabyte anyway; what is read afterwards comes in one batch. */
  private static int limit(ListingPlan plan, int pageSize) {
    if (pageSize < 1) {
      throw new IllegalArgumentException("pageSize " + pageSize + " must be at least 1");
    }
    return plan.shape() == ListingPlan.Shape.INDEXED_RECORDS
        ? Math.min(pageSize, StoreCall.Lookup.MAX_KEYS)
        : pageSize;
  }
}
