package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.JobResult;
import dev.millrace.admin.NamespaceView;
import dev.millrace.admin.OrphanReport;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The namespaces of a table. */
@Command(
    name = "namespace",
    description = "Registers, lists, deletes, recovers and purges namespaces.",
    footer = {
      "",
      "Examples:",
      "  millrace namespace register prod staging",
      "  millrace namespace delete staging --yes"
    })
public final class NamespaceCommand extends Group {
  @Command(
      name = "register",
      mixinStandardHelpOptions = true,
      description = "Registers namespaces. A name that is taken is refused.")
  int register(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names) {
    return connection.run(
        session -> {
          for (String name : names) {
            NamespaceView view = session.admin().namespaces().register(name);
            session.output().one(AdminJson.of(view), "registered " + name + " as " + view.id());
          }
          return ExitCodes.DONE;
        });
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
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
    TextTable table = TextTable.ofTexts().row("NAME", "STATE", "ID", "SINCE");
    for (NamespaceView view : views) {
      table.row(view.name(), state(view), view.id(), view.changedAt().toString());
    }
    return table.lines();
  }

  private static String state(NamespaceView view) {
    return view.state().name().toLowerCase(Locale.ROOT);
  }

  @Command(name = "show", mixinStandardHelpOptions = true, description = "Shows one namespace.")
  int show(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(
        session -> {
          NamespaceView view =
              session
                  .admin()
                  .namespaces()
                  .get(name)
                  .orElseThrow(
                      () ->
                          new CommandFailure(
                              ExitCodes.NOT_FOUND,
                              "namespace '%s' is not registered: 'millrace namespace list' shows all"
                                  .formatted(name)));
          session.output().one(AdminJson.of(view), () -> table(List.of(view)));
          return ExitCodes.DONE;
        });
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes a namespace, softly: it refuses everybody, and can be recovered.")
  int delete(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin YesOption yes) {
    yes.orAsk("Delete namespace '" + name + "'?");
    return connection.run(
        session -> {
          NamespaceView view = session.admin().namespaces().delete(name);
          session
              .output()
              .one(AdminJson.of(view), "deleted " + name + "; 'namespace recover' takes it back");
          return ExitCodes.DONE;
        });
  }

  @Command(
      name = "recover",
      mixinStandardHelpOptions = true,
      description = "Takes a deletion back.")
  int recover(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(
        session -> {
          NamespaceView view = session.admin().namespaces().recover(name);
          session.output().one(AdminJson.of(view), "recovered " + name);
          return ExitCodes.DONE;
        });
  }

  @Command(
      name = "orphans",
      mixinStandardHelpOptions = true,
      description =
          "Counts what is stored under ids that no namespace has. Reads all of the table.")
  int orphans(@Mixin ConnectionOptions connection) {
    return connection.run(
        session -> {
          OrphanReport report = session.admin().namespaces().orphans(session.output().watching());
          Map<String, Object> json = new LinkedHashMap<>();
          json.put("items", new TreeMap<>(report.items()));
          json.put("itemsOfOthers", report.itemsOfOthers());
          json.put("examined", report.examined());
          session.output().one(json, () -> table(report));
          return report.items().isEmpty() ? ExitCodes.DONE : ExitCodes.FOUND;
        });
  }

  private static List<String> table(OrphanReport report) {
    if (report.items().isEmpty()) {
      return List.of("No orphans among %,d items.".formatted(report.examined()));
    }
    TextTable table = new TextTable().row("ID", "ITEMS");
    new TreeMap<>(report.items()).forEach((id, count) -> table.row(id, String.valueOf(count)));
    return table.lines();
  }

  @Command(
      name = "purge",
      mixinStandardHelpOptions = true,
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
          JobResult job =
              orphan
                  ? session.admin().namespaces().purgeOrphans(name, session.output().watching())
                  : session.admin().namespaces().purge(name, session.output().watching());
          session.output().one(AdminJson.of(job), "purged " + name + ": " + Texts.job(job));
          return ExitCodes.DONE;
        });
  }
}
