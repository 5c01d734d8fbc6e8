package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.AuditEntry;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.Page;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.text.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Who changed what. */
@Command(
    name = "audit",
    description = "Lists who changed what.",
    footer = {
      "",
      "Examples:",
      "  millrace audit list --max 20",
      "  millrace audit list --entity key-42 --from 7d --json"
    })
public final class AuditCommand extends Group {
  /** About whom; a group of options of which one can be given. */
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
      if (entity != null) {
        return session.namespace().audit().ofEntity(entity, query);
      }
      if (resource != null) {
        return session.namespace().audit().ofResource(resource, query);
      }
      if (namespaces) {
        return session.admin().namespaces().audit(query);
      }
      return system
          ? session.namespace().audit().ofSystem(query)
          : session.namespace().audit().all(query);
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists changes, the newest first.")
  int list(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @ArgGroup(exclusive = true) @Nullable Subject about,
      @Option(names = "--from", paramLabel = "TIME", description = "None before.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "None after.")
          @Nullable String to) {
    return connection.run(
        session -> {
          Instant now = Instant.now();
          Instant earliest = from == null ? null : Times.parse(from, now);
          Instant latest = to == null ? null : Times.parse(to, now);
          Subject asked = about == null ? new Subject() : about;
          return page.print(
              session,
              (size, cursor) -> asked.page(session, new AuditQuery(earliest, latest, size, cursor)),
              AdminJson::of,
              AuditCommand::table,
              "No change is recorded.");
        });
  }

  private static List<String> table(List<AuditEntry> entries) {
    TextTable table = TextTable.ofTexts().row("TIME", "WHO", "SUBJECT", "ACTION", "CHANGE");
    for (AuditEntry entry : entries) {
      table.row(
          entry.at().toString(), entry.actor(), entry.subject(), entry.action(), change(entry));
    }
    return table.lines();
  }

  /** The fields that are other than before: {@code limits: rpm:10/min → rpm:20/min}. */
  private static String change(AuditEntry entry) {
    Map<String, String> before = new TreeMap<>(entry.before());
    Map<String, String> after = new TreeMap<>(entry.after());
    List<String> changes = new ArrayList<>();
    TreeSet<String> fields = new TreeSet<>(before.keySet());
    fields.addAll(after.keySet());
    for (String field : fields) {
      String was = before.getOrDefault(field, "–");
      String is = after.getOrDefault(field, "–");
      if (!was.equals(is)) {
        changes.add(field + ": " + was + " → " + is);
      }
    }
    return String.join("; ", changes);
  }
}
