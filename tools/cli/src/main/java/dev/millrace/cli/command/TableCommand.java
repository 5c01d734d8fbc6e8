package dev.millrace.cli.command;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The table itself. */
@Command(name = "table", description = "Makes the table.")
public final class TableCommand extends Group {
  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = {
        "Makes the table when it is missing, waits until it is ready, and checks that it is ours.",
        "May be repeated."
      })
  int create(@Mixin ConnectionOptions connection) {
    return connection.run(
        session -> {
          boolean created = session.table().createIfMissing();
          String name = session.settings().table();
          Map<String, Object> json = new LinkedHashMap<>();
          json.put("table", name);
          json.put("created", created);
          session.output().one(json, (created ? "made table " : "there already: table ") + name);
          return ExitCodes.DONE;
        });
  }
}
