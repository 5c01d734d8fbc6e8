package dev.millrace.cli.command;

import dev.millrace.admin.AuditAdmin;
import dev.millrace.admin.AuditEntry;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.Page;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.text.ColumnTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists recorded changes. */
@Command(
    name = "audit",
    description = "Lists who changed what.",
    footer = {
      "",
      "Examples:",
      "  millrace audit list --max 20",
      "  millrace audit list --entity key-42 --from 7d --json"
    })
public final class AuditCommand extends CommandGroup {
  /** The subject of the changes: a group of options of which one can be given. */
  static final class Subject {
    @Option(
        names = {"-e", "--entity"},
        paramLabel = "ID",
        description = "Changes of an entity.")
    private @Nullable String entity;

    @Option(
        names = {"-r", "--resource"},
        paramLabel = "NAME",
        description = "Of a resource.")
    private @Nullable String resource;

    @Option(names = "--system", description = "Of the namespace's own limits and settings.")
    private boolean system;

    @Option(names = "--namespaces", description = "Of the namespaces of the table themselves.")
    private boolean namespaces;

    Page<AuditEntry> page(Session session, AuditQuery query) {
      AuditAdmin audit = session.namespace().audit();
      if (entity != null) {
        return audit.ofEntity(entity, query);
      }
      if (resource != null) {
        return audit.ofResource(resource, query);
      }
      if (namespaces) {
        return session.admin().namespaces().audit(query);
      }
      return system ? audit.ofSystem(query) : audit.all(query);
    }
  }

  @Command(name = "list", description = "Lists changes, the newest first.")
  int list(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @ArgGroup(exclusive = true) @Nullable Subject subject,
      @Option(names = "--from", paramLabel = "TIME", description = "None before.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "None after.")
          @Nullable String to) {
    return connection.run(
        session -> {
          Instant now = Instant.now();
          Instant earliest = from == null ? null : Texts.time(from, now);
          Instant latest = to == null ? null : Texts.time(to, now);
          Subject wanted = subject == null ? new Subject() : subject;
          return page.print(
              session,
              (size, cursor) ->
                  wanted.page(session, new AuditQuery(earliest, latest, size, cursor)),
              AdminJson::of,
              AuditCommand::table,
              "No change is recorded.");
        });
  }

  private static List<String> table(List<AuditEntry> entries) {
    ColumnTable table =
        ColumnTable.withNumbersIn().row("TIME", "WHO", "SUBJECT", "ACTION", "CHANGE");
    for (AuditEntry entry : entries) {
      table.row(entry.at(), entry.actor(), entry.subject(), entry.action(), change(entry));
    }
    return table.lines();
  }

  /** The fields that have changed: {@code limits: rpm:10/min → rpm:20/min}. */
  private static String change(AuditEntry entry) {
    TreeSet<String> fields = new TreeSet<>(entry.before().keySet());
    fields.addAll(entry.after().keySet());
    List<String> changes = new ArrayList<>();
    for (String field : fields) {
      String before = entry.before().getOrDefault(field, "–");
      String after = entry.after().getOrDefault(field, "–");
      if (!before.equals(after)) {
        changes.add(field + ": " + before + " → " + after);
      }
    }
    return String.join("; ", changes);
  }
}
