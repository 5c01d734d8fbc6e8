package dev.millrace.admin;

import dev.millrace.admin.internal.Scope;
import dev.millrace.admin.internal.Tools;
import dev.millrace.core.store.BlockingStore;

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
 * <p>Making one asks the store nothing. With its first use it looks at the version of the table's
 * schema; one that it does not understand is refused. Safe for use by many threads.
 */
public final class Admin implements AutoCloseable {
  private final Tools tools;
  private final String actor;

  private Admin(Tools tools, String actor) {
    this.tools = tools;
    this.actor = actor;
  }

  /** The administration of the table behind {@code store}. */
  public static Admin of(BlockingStore store, AdminOptions options) {
    return new Admin(new Tools(store, options), options.actor());
  }

  /** The same, with changes made by somebody else; closed with this one. */
  public Admin as(String other) {
    return new Admin(tools, AdminOptions.requireActor(other));
  }

  /** The namespaces themselves. */
  public Namespaces namespaces() {
    return new Namespaces(Scope.ofNone(tools, actor));
  }

  /** One namespace by its name, which must be registered unless it is {@code default}. */
  public NamespaceAdmin in(String namespace) {
    return new NamespaceAdmin(Scope.of(tools, namespace, actor));
  }

  /** Ends the threads that were made; those of an executor that was given stay. */
  @Override
  public void close() {
    tools.close();
  }
}
