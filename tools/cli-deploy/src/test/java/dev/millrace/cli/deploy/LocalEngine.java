package dev.millrace.cli.deploy;

import dev.millrace.cli.table.ServiceEndpoint;
import dev.millrace.embedded.SharedEngine;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Clients of the one engine of a test run, and names of tables on it. */
final class LocalEngine {
  private static final AtomicInteger TABLES = new AtomicInteger();

  private LocalEngine() {}

  static URI endpoint() {
    return SharedEngine.endpoint();
  }

  static DynamoDbClient client() {
    return new ServiceEndpoint(endpoint(), null).dynamo();
  }

  /** A name that no other table has. */
  static String newName() {
    return "command" + ProcessHandle.current().pid() + "x" + TABLES.incrementAndGet();
  }
}
