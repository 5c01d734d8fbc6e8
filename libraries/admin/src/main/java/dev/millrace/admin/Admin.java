package dev.millrace.admin;

import dev.millrace.admin.internal.AdminTools;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.store.BlockingStore;

/**
 * The administration of a table.
 *
 * <pre>{@code
 * try (Admin admin = Admin.of(store, AdminOptions.of("alice@example.com"))) {
 *   NamespaceAdmin prod = admin.in("prod");
 *   prod.entities().create(NewEntity.of("key-42").under("team-7").cascading());
 *   prod.limits().set(LimitTarget.resource("gpt-4"), LimitSet.of(Limit.perMinute("rpm", 100)));
 * }
 * }</pre>
 *
 * <p>Creating one sends nothing. The first use reads the version of the table's schema; a version
 * that this software does not support is refused. Thread-safe.
 */
public final class Admin implements AutoCloseable {
  private final AdminTools tools;
  private final String actor;

  private Admin(AdminTools tools, String actor) {
    this.tools = tools;
    this.actor = actor;
  }

  /** The administration of the table behind {@code store}. */
  public static Admin of(BlockingStore store, AdminOptions options) {
    return new Admin(new AdminTools(store, options), options.actor());
  }

  /** The same table, with changes attributed to another actor; closed with this one. */
  public Admin as(String other) {
    return new Admin(tools, AdminOptions.requireActor(other));
  }

  /** The administration of the namespaces themselves. */
  public Namespaces namespaces() {
    return new Namespaces(NamespaceScope.ofNone(tools, actor));
  }

  /** One namespace by its name, which must be registered unless it is {@code default}. */
  public NamespaceAdmin in(String namespace) {
    return new NamespaceAdmin(NamespaceScope.of(tools, namespace, actor));
  }

  /** Ends the threads that were created here; those of an executor that was passed in stay. */
  @Override
  public void close() {
    tools.close();
  }
}
