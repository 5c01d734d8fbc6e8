package dev.millrace.deploy.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** What a request must be allowed. A transaction must be allowed what its parts are. */
final class ApiCalls {
  private static final Pattern EQUALITY = Pattern.compile("(#?\\w+) = (:\\w+)");
  private static final Pattern TABLE_OF_STREAM = Pattern.compile("table/([^/]+)/stream/");

  private ApiCalls() {}

  static List<ApiCall> of(SdkRequest request) {
    if (request instanceof GetItemRequest get) {
      return List.of(item("GetItem", get.tableName(), get.key()));
    } else if (request instanceof PutItemRequest put) {
      return List.of(item("PutItem", put.tableName(), put.item()));
    } else if (request instanceof UpdateItemRequest update) {
      return List.of(item("UpdateItem", update.tableName(), update.key()));
    } else if (request instanceof DeleteItemRequest delete) {
      return List.of(item("DeleteItem", delete.tableName(), delete.key()));
    } else if (request instanceof BatchGetItemRequest batch) {
      return batch.requestItems().entrySet().stream()
          .map(each -> keys("BatchGetItem", each.getKey(), each.getValue().keys()))
          .toList();
    } else if (request instanceof BatchWriteItemRequest batch) {
      return batch.requestItems().entrySet().stream()
          .map(
              each ->
                  keys(
                      "BatchWriteItem",
                      each.getKey(),
                      each.getValue().stream().map(ApiCalls::keyOf).toList()))
          .toList();
    } else if (request instanceof TransactWriteItemsRequest transaction) {
      return transaction.transactItems().stream().map(ApiCalls::part).toList();
    } else if (request instanceof QueryRequest query) {
      String index = query.indexName() == null ? "" : "/index/" + query.indexName();
      return List.of(
          new ApiCall(
              "dynamodb:Query", arn(query.tableName()) + index, List.of(leadingKey(query))));
    } else if (request instanceof ScanRequest scan) {
      String index = scan.indexName() == null ? "" : "/index/" + scan.indexName();
      return List.of(ApiCall.of("dynamodb:Scan", arn(scan.tableName()) + index));
    } else if (request instanceof PutObjectRequest put) {
      return List.of(object("s3:PutObject", put.bucket(), put.key()));
    } else if (request instanceof GetObjectRequest get) {
      return List.of(object("s3:GetObject", get.bucket(), get.key()));
    }
    return ofTable(request);
  }

  private static List<ApiCall> ofTable(SdkRequest request) {
    if (request instanceof DescribeTableRequest describe) {
      return List.of(ApiCall.of("dynamodb:DescribeTable", arn(describe.tableName())));
    } else if (request instanceof DescribeTimeToLiveRequest describe) {
      return List.of(ApiCall.of("dynamodb:DescribeTimeToLive", arn(describe.tableName())));
    } else if (request instanceof CreateTableRequest create) {
      return List.of(ApiCall.of("dynamodb:CreateTable", arn(create.tableName())));
    } else if (request instanceof DescribeStreamRequest describe) {
      return List.of(ApiCall.of("dynamodb:DescribeStream", stream(describe.streamArn())));
    } else if (request instanceof GetShardIteratorRequest get) {
      return List.of(ApiCall.of("dynamodb:GetShardIterator", stream(get.streamArn())));
    } else if (request instanceof GetRecordsRequest get) {
      return List.of(ApiCall.of("dynamodb:GetRecords", stream(get.shardIterator())));
    }
    // Anything else is told by its name, so that no policy allows it unnoticed.
    return List.of(ApiCall.of(request.getClass().getSimpleName(), "?"));
  }

  private static ApiCall part(TransactWriteItem item) {
    if (item.put() != null) {
      return item("PutItem", item.put().tableName(), item.put().item());
    } else if (item.update() != null) {
      return item("UpdateItem", item.update().tableName(), item.update().key());
    } else if (item.delete() != null) {
      return item("DeleteItem", item.delete().tableName(), item.delete().key());
    }
    return item(
        "ConditionCheckItem", item.conditionCheck().tableName(), item.conditionCheck().key());
  }

  private static Map<String, AttributeValue> keyOf(WriteRequest write) {
    return write.deleteRequest() == null ? write.putRequest().item() : write.deleteRequest().key();
  }

  private static ApiCall item(String action, String table, Map<String, AttributeValue> key) {
    return keys(action, table, List.of(key));
  }

  private static ApiCall keys(String action, String table, List<Map<String, AttributeValue>> keys) {
    List<String> leading = new ArrayList<>();
    for (Map<String, AttributeValue> key : keys) {
      AttributeValue partition = key.get("PK");
      if (partition != null) { // the tables of leases have another key
        leading.add(partition.s());
      }
    }
    return new ApiCall("dynamodb:" + action, arn(table), leading);
  }

  /** What the partition key of a table or an index must equal. */
  private static String leadingKey(QueryRequest query) {
    Matcher equality = EQUALITY.matcher(query.keyConditionExpression());
    while (equality.find()) {
      String name = equality.group(1);
      String attribute = name.startsWith("#") ? query.expressionAttributeNames().get(name) : name;
      if (attribute != null && attribute.endsWith("PK")) {
        return Objects.requireNonNull(query.expressionAttributeValues().get(equality.group(2))).s();
      }
    }
    throw new IllegalStateException("no partition key in " + query.keyConditionExpression());
  }

  private static ApiCall object(String action, String bucket, String key) {
    return ApiCall.of(action, "arn:aws:s3:::" + bucket + "/" + key);
  }

  private static String arn(String table) {
    return TemplatePolicies.ACCOUNT + table;
  }

  private static String stream(@Nullable String arnOrIterator) {
    Matcher table = TABLE_OF_STREAM.matcher(String.valueOf(arnOrIterator));
    return table.find() ? Recorder.stream(table.group(1)) : String.valueOf(arnOrIterator);
  }
}
