package dev.millrace.embedded;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** DynamoDB's protocol by hand, so that this module needs no SDK to be tested. */
final class RawDynamo {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private RawDynamo() {}

  static HttpResponse<String> call(URI endpoint, String operation, String json)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(endpoint)
            .timeout(TIMEOUT)
            .header("X-Amz-Target", "DynamoDB_20120810." + operation)
            .header("Content-Type", "application/x-amz-json-1.0")
            .header("X-Amz-Date", "20200101T000000Z")
            .header(
                "Authorization",
                "AWS4-HMAC-SHA256 "
                    + "Credential=millrace/20200101/us-east-1/dynamodb/aws4_request, "
                    + "SignedHeaders=host, Signature=0")
            .POST(BodyPublishers.ofString(json))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  static String listTables(URI endpoint) throws IOException, InterruptedException {
    return call(endpoint, "ListTables", "{}").body();
  }

  static void createTable(URI endpoint, String name) throws IOException, InterruptedException {
    HttpResponse<String> reply =
        call(
            endpoint,
            "CreateTable",
            """
            {"TableName": "%s", "BillingMode": "PAY_PER_REQUEST",
             "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
             "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}"""
                .formatted(name));
    if (reply.statusCode() != 200) {
      throw new AssertionError(reply.body());
    }
  }

  static void put(URI endpoint, String table, String key) throws IOException, InterruptedException {
    HttpResponse<String> reply =
        call(
            endpoint,
            "PutItem",
            """
            {"TableName": "%s", "Item": {"pk": {"S": "%s"}}}"""
                .formatted(table, key));
    if (reply.statusCode() != 200) {
      throw new AssertionError(reply.body());
    }
  }

  static String get(URI endpoint, String table, String key)
      throws IOException, InterruptedException {
    return call(
            endpoint,
            "GetItem",
            """
            {"TableName": "%s", "Key": {"pk": {"S": "%s"}}, "ConsistentRead": true}"""
                .formatted(table, key))
        .body();
  }
}
