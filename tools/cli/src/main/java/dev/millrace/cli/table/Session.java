package dev.millrace.cli.table;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.cli.text.Output;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.embedded.EmbeddedDynamo;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A table that a command works on, and the output of the command.
 *
 * @param client for requests that the administration does not make
 * @param engine DynamoDB Local when the command has started it
 */
public record Session(
    Settings settings,
    Output output,
    DynamoDbClient client,
    Admin admin,
    @Nullable EmbeddedDynamo engine)
    implements AutoCloseable {

  static Session open(Settings settings, Output output) {
    Path directory = settings.embedded();
    if (directory == null) {
      return of(settings, output, settings.dynamo(), null);
    }
    EmbeddedDynamo engine =
        EmbeddedDynamo.onDisk(directory).onProgress(line -> output.progress("%s", line)).start();
    Session session = of(settings, output, new ServiceEndpoint(engine.endpoint(), null), engine);
    try {
      session.table().createIfMissing();
      return session;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static Session of(
      Settings settings, Output output, ServiceEndpoint dynamo, @Nullable EmbeddedDynamo engine) {
    DynamoDbClient client = dynamo.dynamo();
    BlockingStore store = DynamoStore.of(client, settings.table());
    Admin admin = Admin.of(store, AdminOptions.of(settings.actor()));
    return new Session(settings, output, client, admin, engine);
  }

  /** The named namespace. */
  public NamespaceAdmin namespace() {
    return admin.in(settings.namespace());
  }

  /** The usage of the named namespace. */
  public UsageAdmin usage() {
    return namespace().usage(DynamoUsageStore.of(client, settings.table()));
  }

  /** The administration of the table itself. */
  public TableAdmin table() {
    return TableAdmin.of(client, settings.table());
  }

  /** Prints one result as {@link Output#one(Map, Supplier)} does. */
  public int print(Map<String, ?> object, Supplier<List<String>> text) {
    return output.one(object, text);
  }

  /** Prints one result that is one line for people. */
  public int print(Map<String, ?> object, String line) {
    return output.one(object, () -> List.of(line));
  }

  /** Closes the administration, the client and the engine, even when one of them throws. */
  @Override
  public void close() {
    try (engine;
        client) {
      admin.close();
    }
  }
}
