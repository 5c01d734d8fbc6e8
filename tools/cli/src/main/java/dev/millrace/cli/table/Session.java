package dev.millrace.cli.table;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.cli.text.Output;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.embedded.EmbeddedDynamo;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table that a command works on, and where it prints. */
public final class Session implements AutoCloseable {
  private final Settings settings;
  private final Output output;
  private final @Nullable EmbeddedDynamo engine;
  private final DynamoDbClient client;
  private final Admin admin;

  private Session(
      Settings settings, Output output, @Nullable EmbeddedDynamo engine, DynamoDbClient client) {
    this.settings = settings;
    this.output = output;
    this.engine = engine;
    this.client = client;
    this.admin =
        Admin.of(DynamoStore.of(client, settings.table()), AdminOptions.of(settings.actor()));
  }

  static Session open(Settings settings, Output output) {
    Path directory = settings.embedded();
    if (directory == null) {
      return new Session(
          settings, output, null, Clients.of(settings.endpoint(), settings.region()));
    }
    EmbeddedDynamo engine = EmbeddedDynamo.onDisk(directory).onProgress(output::progress).start();
    URI endpoint = engine.endpoint();
    Session session = new Session(settings, output, engine, Clients.of(endpoint, null));
    try {
      session.table().createIfMissing();
      return session;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /** Which table. */
  public Settings settings() {
    return settings;
  }

  /** Where to print. */
  public Output output() {
    return output;
  }

  /** The administration of the table. */
  public Admin admin() {
    return admin;
  }

  /** The namespace that was named. */
  public NamespaceAdmin namespace() {
    return admin.in(settings.namespace());
  }

  /** The usage of the namespace that was named. */
  public UsageAdmin usage() {
    return namespace().usage(DynamoUsageStore.of(client, settings.table()));
  }

  /** The table itself. */
  public TableAdmin table() {
    return TableAdmin.of(client, settings.table());
  }

  /** The client, for what the administration does not know. */
  public DynamoDbClient client() {
    return client;
  }

  @Override
  public void close() {
    try (engine;
        client;
        admin) {
      // closes the administration, the client and the engine, whatever one of them throws
    }
  }
}
