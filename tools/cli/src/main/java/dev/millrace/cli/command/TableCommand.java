package dev.millrace.cli.command;

import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.text.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Makes the table. */
@Command(name = "table", description = "Makes the table.")
public final class TableCommand extends CommandGroup {
  @Command(
      name = "create",
      description = {
        "Makes the table when it is missing, waits until it is ready, and checks that it is ours.",
        "May be repeated."
      })
  int create(@Mixin ConnectionOptions connection) {
    return connection.run(
        session -> {
          boolean created = session.table().createIfMissing();
          String name = session.settings().table();
          return session.print(
              JsonText.object("table", name, "created", created),
              (created ? "made table " : "there already: table ") + name);
        });
  }
}
