package dev.millrace.cli.command;

import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityAdmin;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.JobView;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.Page;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.ColumnTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and changes entities and the tree that they form. */
@Command(
    name = "entity",
    description = "Creates, shows, changes and deletes entities, and the tree that they form.",
    footer = {
      "",
      "Examples:",
      "  millrace entity create acme --name 'Acme Inc'",
      "  millrace entity create key-42 --parent acme --cascade --metadata plan=gold",
      "  millrace entity show key-42 --json",
      "  millrace entity list --with-limits gpt-4"
    })
public final class EntityCommand extends CommandGroup {
  @Command(name = "create", description = "Creates an entity.")
  int create(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--name", paramLabel = "TEXT", defaultValue = "", description = "For people.")
          String name,
      @Option(names = "--parent", paramLabel = "ID", description = "Below whom (default: the top).")
          @Nullable String parent,
      @Option(names = "--cascade", description = "An acquire also draws on the parent.")
          boolean cascade,
      @Option(
              names = "--metadata",
              paramLabel = "KEY=VALUE",
              description = "What the application remembers with it.")
          @Nullable Map<String, String> metadata) {
    return connection.run(
        session -> {
          Map<String, String> remembered = metadata == null ? Map.of() : metadata;
          NewEntity entity = new NewEntity(id, name, parent, cascade, remembered);
          Entity created = session.namespace().entities().create(entity);
          return session.print(AdminJson.of(created), "created " + id);
        });
  }

  @Command(name = "show", description = "Shows an entity, its place in the tree, and its limits.")
  int show(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "ID") String id) {
    return connection.run(
        session -> {
          EntityTree tree = EntityTree.of(session.namespace(), require(session, id));
          return session.print(tree.json(), tree::text);
        });
  }

  /**
   * An entity with its ancestors, its children, and the limits that are stored for it.
   *
   * @param ancestors the nearest first
   * @param children the first of them
   * @param stored at both levels
   */
  private record EntityTree(
      Entity entity, List<Entity> ancestors, List<Entity> children, List<StoredLimits> stored) {
    private static final int MAX_CHILDREN = 20;

    static EntityTree of(NamespaceAdmin namespace, Entity entity) {
      EntityAdmin entities = namespace.entities();
      return new EntityTree(
          entity,
          entities.ancestors(entity.id()),
          entities.children(entity.id(), MAX_CHILDREN, null).items(),
          namespace.limits().ofEntity(entity.id(), Page.MAX_SIZE, null).items());
    }

    Map<String, @Nullable Object> json() {
      Map<String, @Nullable Object> json = AdminJson.of(entity);
      json.put("ancestors", ancestors.stream().map(Entity::id).toList());
      json.put("firstChildren", children.stream().map(Entity::id).toList());
      json.put("stored", stored.stream().map(AdminJson::of).toList());
      return json;
    }

    List<String> text() {
      List<String> lines = new ArrayList<>();
      String indent = "";
      for (int i = ancestors.size() - 1; i >= 0; i--) {
        lines.add(indent + line(ancestors.get(i)));
        indent += "  ";
      }
      lines.add(indent + line(entity) + "   ←");
      indent += "  ";
      for (Entity child : children) {
        lines.add(indent + line(child));
      }
      if (entity.children() > children.size()) {
        lines.add(indent + "… " + (entity.children() - children.size()) + " more");
      }
      lines.add("");
      lines.add("created   " + entity.createdAt() + ", version " + entity.version());
      new TreeMap<>(entity.metadata())
          .forEach((key, value) -> lines.add("metadata  " + key + " = " + value));
      lines.add("");
      lines.addAll(stored.isEmpty() ? List.of("No limits of its own.") : Texts.table(stored));
      return lines;
    }

    private static String line(Entity entity) {
      return entity.id()
          + (entity.name().isEmpty() ? "" : " (" + entity.name() + ")")
          + (entity.cascade() ? ", draws on its parent" : "")
          + (entity.disabled() ? ", disabled" : "");
    }
  }

  private static Entity require(Session session, String id) {
    String missing =
        "there is no entity '%s' in namespace '%s': 'millrace entity create' makes one"
            .formatted(id, session.settings().namespace());
    return session.namespace().entities().get(id).orElseThrow(CommandFailure.notFound(missing));
  }

  @Command(
      name = "list",
      description = "Lists the entities without a parent, or those with limits of their own.")
  int list(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @Option(
              names = "--with-limits",
              paramLabel = "RESOURCE",
              description = "Those with limits of their own for this resource.")
          @Nullable String resource,
      @Option(
              names = "--with-default-limits",
              description = "Those with limits of their own for whatever resource.")
          boolean defaults) {
    if (resource != null && defaults) {
      throw wrongUsage("either --with-limits or --with-default-limits, not both");
    }
    return connection.run(
        session -> {
          NamespaceAdmin namespace = session.namespace();
          if (resource == null && !defaults) {
            return page.print(
                session,
                namespace.entities()::roots,
                AdminJson::of,
                EntityCommand::table,
                "There are no entities.");
          }
          PageOptions.Pages<StoredLimits> pages =
              resource == null
                  ? namespace.limits()::ofEntities
                  : (size, cursor) -> namespace.limits().ofEntities(resource, size, cursor);
          return page.print(
              session, pages, AdminJson::of, Texts::table, "No entity has limits of its own.");
        });
  }

  @Command(name = "children", description = "Lists the children of an entity.")
  int children(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @Parameters(paramLabel = "ID") String id) {
    return connection.run(
        session -> {
          Entity parent = require(session, id);
          return page.print(
              session,
              (size, cursor) -> session.namespace().entities().children(parent.id(), size, cursor),
              AdminJson::of,
              EntityCommand::table,
              "'" + id + "' has no children.");
        });
  }

  private static List<String> table(List<Entity> entities) {
    ColumnTable table =
        ColumnTable.withNumbersIn(4)
            .row("ID", "NAME", "CASCADE", "DISABLED", "CHILDREN", "CREATED");
    for (Entity entity : entities) {
      table.row(
          entity.id(),
          entity.name(),
          Texts.yesNo(entity.cascade()),
          Texts.yesNo(entity.disabled()),
          entity.children(),
          entity.createdAt());
    }
    return table.lines();
  }

  @Command(name = "update", description = "Changes what is named; what is not named stays.")
  int update(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--name", paramLabel = "TEXT", description = "For people.")
          @Nullable String name,
      @Option(
              names = "--cascade",
              paramLabel = "BOOL",
              arity = "1",
              description = "Whether an acquire also draws on the parent.")
          @Nullable Boolean cascade,
      @Option(
              names = "--metadata",
              paramLabel = "KEY=VALUE",
              description = "In the place of all that is remembered with it.")
          @Nullable Map<String, String> metadata) {
    if (name == null && cascade == null && metadata == null) {
      throw wrongUsage("nothing to change: name --name, --cascade or --metadata");
    }
    EntityUpdate update = new EntityUpdate(name, cascade, metadata);
    return change(connection, namespace -> namespace.entities().update(id, update));
  }

  @Command(name = "move", description = "Moves an entity, with everything below it.")
  int move(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--parent", paramLabel = "ID", description = "Below whom.")
          @Nullable String parent,
      @Option(names = "--top", description = "To the top.") boolean top) {
    if ((parent == null) != top) {
      throw wrongUsage("say where to: either --parent ID or --top");
    }
    return change(
        connection,
        namespace ->
            parent == null
                ? namespace.entities().moveToTop(id)
                : namespace.entities().move(id, parent));
  }

  @Command(
      name = "disable",
      description = "Refuses every acquire of an entity, and every one that draws on it.")
  int disable(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "ID") String id) {
    return change(connection, namespace -> namespace.entities().setDisabled(id, true));
  }

  @Command(name = "enable", description = "Admits acquires of an entity again.")
  int enable(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "ID") String id) {
    return change(connection, namespace -> namespace.entities().setDisabled(id, false));
  }

  private static int change(
      ConnectionOptions connection, Function<NamespaceAdmin, ChangeResult> change) {
    return connection.run(
        session -> {
          ChangeResult result = change.apply(session.namespace());
          return session.print(AdminJson.of(result), Texts.change(result));
        });
  }

  @Command(
      name = "delete",
      description = {
        "Deletes an entity with its limits, its usage and its buckets. One with children is refused.",
        "Interrupted, it is resumed by running it again."
      })
  int delete(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--forgive-debt", description = "Also when buckets of it are below zero.")
          boolean forgiveDebt,
      @Mixin YesOption yes) {
    yes.orAsk("Delete entity '" + id + "' with its limits, its usage and its buckets?");
    return connection.run(
        session -> {
          ProgressListener progress = session.output().watching();
          JobView job = session.namespace().entities().delete(id, forgiveDebt, progress);
          return session.print(AdminJson.progress(job), "deleted " + id + ": " + Texts.job(job));
        });
  }
}
