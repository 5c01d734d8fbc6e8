package dev.millrace.worker.kcl;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClientBuilder;

/**
 * The clients that read a stream.
 *
 * @param table the table with the stream
 * @param dynamo finds the stream
 * @param leases keeps the leases; KCL knows only the asynchronous client
 * @param streams makes the client that reads
 */
public record StreamClients(
    String table,
    DynamoDbClient dynamo,
    DynamoDbAsyncClient leases,
    DynamoDbStreamsClientBuilder streams) {}
