package dev.millrace.dynamodb.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * One operation of DynamoDB on either client.
 *
 * @param name as DynamoDB calls it
 * @param blocking how it is sent by one that waits
 * @param async how it is sent by one that does not
 */
record Operation<Q, A extends SdkResponse>(
    String name,
    BiFunction<DynamoDbClient, Q, A> blocking,
    BiFunction<DynamoDbAsyncClient, Q, CompletableFuture<A>> async) {
  static final Operation<GetItemRequest, GetItemResponse> GET =
      new Operation<>("GetItem", DynamoDbClient::getItem, DynamoDbAsyncClient::getItem);

  static final Operation<PutItemRequest, PutItemResponse> PUT =
      new Operation<>("PutItem", DynamoDbClient::putItem, DynamoDbAsyncClient::putItem);

  static final Operation<UpdateItemRequest, UpdateItemResponse> UPDATE =
      new Operation<>("UpdateItem", DynamoDbClient::updateItem, DynamoDbAsyncClient::updateItem);

  static final Operation<DeleteItemRequest, DeleteItemResponse> DELETE =
      new Operation<>("DeleteItem", DynamoDbClient::deleteItem, DynamoDbAsyncClient::deleteItem);

  static final Operation<BatchGetItemRequest, BatchGetItemResponse> BATCH_GET =
      new Operation<>(
          "BatchGetItem", DynamoDbClient::batchGetItem, DynamoDbAsyncClient::batchGetItem);

  static final Operation<BatchWriteItemRequest, BatchWriteItemResponse> BATCH_WRITE =
      new Operation<>(
          "BatchWriteItem", DynamoDbClient::batchWriteItem, DynamoDbAsyncClient::batchWriteItem);

  static final Operation<TransactWriteItemsRequest, TransactWriteItemsResponse> TRANSACT =
      new Operation<>(
          "TransactWriteItems",
          DynamoDbClient::transactWriteItems,
          DynamoDbAsyncClient::transactWriteItems);

  static final Operation<QueryRequest, QueryResponse> QUERY =
      new Operation<>("Query", DynamoDbClient::query, DynamoDbAsyncClient::query);

  static final Operation<ScanRequest, ScanResponse> SCAN =
      new Operation<>("Scan", DynamoDbClient::scan, DynamoDbAsyncClient::scan);

  /**
   * Sends a request and waits for the whole answer.
   *
   * @throws SdkException also when the answer was cut off
   */
  A send(DynamoDbClient client, Q request) {
    A answer = blocking.apply(client, request);
    SdkException broken = TruncatedAnswer.brokenBy(answer);
    if (broken != null) {
      throw broken;
    }
    return answer;
  }
}
