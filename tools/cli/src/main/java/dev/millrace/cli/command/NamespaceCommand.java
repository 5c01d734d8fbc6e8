package dev.millrace.cli.command;

import dev.millrace.admin.JobView;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.Namespaces;
import dev.millrace.admin.OrphanReport;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.ColumnTable;
import dev.millrace.cli.text.JsonText;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Manages the namespaces of a table. */
@Command(
    name = "namespace",
    description = "Registers, lists, deletes, recovers and purges namespaces.",
    footer = {
      "",
      "Examples:",
      "  millrace namespace register prod staging",
      "  millrace namespace delete staging --yes"
    })
public final class NamespaceCommand extends CommandGroup {
  @Command(
      name = "register",
      description = "Registers namespaces. A name that is taken is refused.")
  int register(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names) {
    return connection.run(
        session -> {
          for (String name : names) {
            NamespaceView view = session.admin().namespaces().register(name);
            session.print(AdminJson.of(view), "registered " + name + " as " + view.id());
          }
          return ExitCodes.DONE;
        });
  }

  @Command(
      name = "list",
      description = "Lists the registered namespaces; 'default' need not be one of them.")
  int list(@Mixin ConnectionOptions connection, @Mixin PageOptions page) {
    return connection.run(
        session ->
            page.print(
                session,
                session.admin().namespaces()::list,
                AdminJson::of,
                NamespaceCommand::table,
                "No namespace is registered; 'default' exists without that."));
  }

  private static List<String> table(List<NamespaceView> views) {
    ColumnTable table = ColumnTable.withNumbersIn().row("NAME", "STATE", "ID", "SINCE");
    for (NamespaceView view : views) {
      String state = view.state().name().toLowerCase(Locale.ROOT);
      table.row(view.name(), state, view.id(), view.changedAt());
    }
    return table.lines();
  }

  @Command(name = "show", description = "Shows one namespace.")
  int show(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    String missing =
        "namespace '%s' is not registered: 'millrace namespace list' shows all".formatted(name);
    return connection.run(
        session -> {
          NamespaceView view =
              session.admin().namespaces().get(name).orElseThrow(CommandFailure.notFound(missing));
          return session.print(AdminJson.of(view), () -> table(List.of(view)));
        });
  }

  @Command(
      name = "delete",
      description = "Deletes a namespace, softly: it refuses everybody, and can be recovered.")
  int delete(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin YesOption yes) {
    yes.orAsk("Delete namespace '" + name + "'?");
    return connection.run(
        session ->
            session.print(
                AdminJson.of(session.admin().namespaces().delete(name)),
                "deleted " + name + "; 'namespace recover' takes it back"));
  }

  @Command(name = "recover", description = "Takes a deletion back.")
  int recover(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(
        session ->
            session.print(
                AdminJson.of(session.admin().namespaces().recover(name)), "recovered " + name));
  }

  @Command(
      name = "orphans",
      description =
          "Counts what is stored under ids that no namespace has. Reads all of the table.")
  int orphans(@Mixin ConnectionOptions connection) {
    return connection.run(
        session -> {
          OrphanReport report = session.admin().namespaces().orphans(session.output().watching());
          TreeMap<String, Long> items = new TreeMap<>(report.items());
          session.print(
              JsonText.object(
                  "items", items,
                  "itemsOfOthers", report.itemsOfOthers(),
                  "examined", report.examined()),
              () -> {
                if (items.isEmpty()) {
                  return List.of("No orphans among %,d items.".formatted(report.examined()));
                }
                ColumnTable table = ColumnTable.withNumbersIn(1).row("ID", "ITEMS");
                items.forEach(table::row);
                return table.lines();
              });
          return items.isEmpty() ? ExitCodes.DONE : ExitCodes.FOUND;
        });
  }

  @Command(
      name = "purge",
      description = {
        "Removes everything of a deleted namespace for good. Reads all of the table.",
        "Interrupted, it is resumed by running it again."
      })
  int purge(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--orphan", description = "NAME is an id that no namespace has.")
          boolean orphan,
      @Mixin YesOption yes) {
    yes.orAsk("Remove everything of '" + name + "' for good?");
    return connection.run(
        session -> {
          ProgressListener progress = session.output().watching();
          Namespaces namespaces = session.admin().namespaces();
          JobView job =
              orphan ? namespaces.purgeOrphans(name, progress) : namespaces.purge(name, progress);
          return session.print(AdminJson.progress(job), "purged " + name + ": " + Texts.job(job));
        });
  }
}
