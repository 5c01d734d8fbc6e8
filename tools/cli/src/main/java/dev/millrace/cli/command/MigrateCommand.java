package dev.millrace.cli.command;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.JsonText;
import dev.millrace.cli.text.Output;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.admin.migration.Migration;
import dev.millrace.dynamodb.admin.migration.MigrationOptions;
import dev.millrace.dynamodb.admin.migration.MigrationReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Carries the buckets of older schemas over. */
@Command(
    name = "migrate",
    description = {
      "Carries the buckets of schema versions 1 and 2 over into today's, while limiters go on.",
      "Can be killed and resumed at any time, and run again: what is done is found done.",
      "Ends with 6 when something is left to do, or is not what was carried over."
    },
    footer = {
      "%nExamples:",
      "  millrace migrate --dry-run                 what there is",
      "  millrace migrate --prepare                 before the first limiter of this version",
      "  millrace migrate --rate 500                carries over and verifies",
      "  millrace migrate --resume                  goes on where it was killed",
      "  millrace migrate --cleanup --yes           once no old client runs any more"
    })
public final class MigrateCommand extends CliCommand implements Callable<Integer> {
  private static final int BAR_CELLS = 30;

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Option(names = "--dry-run", description = "Only look what there is; write nothing.")
  private boolean dryRun;

  @Option(
      names = "--prepare",
      description = "Only say that there may be older buckets, so that limiters look for them.")
  private boolean prepare;

  @Option(
      names = "--verify",
      description = "Only compare what was carried over with today's buckets; write nothing.")
  private boolean verify;

  @Option(names = "--resume", description = "Go on where an interrupted migration was.")
  private boolean resume;

  @Option(
      names = "--cleanup",
      description =
          "Take the old items away in the end, and say that nothing older is left. No client of an"
              + " older version may run any more.")
  private boolean cleanUp;

  @Mixin private final YesOption yes = new YesOption();

  @Option(
      names = "--rate",
      paramLabel = "UNITS",
      defaultValue = "500",
      description =
          "Most capacity units a second, read and written together (default: ${DEFAULT-VALUE}).")
  private int rate = 500;

  @Option(
      names = "--segments",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many parts of the table are read at once (default: ${DEFAULT-VALUE}).")
  private int segments = 4;

  @Override
  public Integer call() {
    MigrationOptions options = options();
    if (cleanUp) {
      yes.orAsk("Take the old items away, which no client of an older version may need any more?");
    }
    return connection.run(session -> migrate(session, options));
  }

  private int migrate(Session session, MigrationOptions options) {
    String table = session.settings().table();
    Migration migration = Migration.of(session.client(), table, options);
    if (prepare) {
      migration.prepare();
      return session.print(
          JsonText.object("table", table, "prepared", true),
          "limiters look for older buckets from now on");
    }
    Consumer<MigrationReport> progress = progress(session.output());
    List<MigrationReport> reports =
        dryRun
            ? List.of(migration.dryRun(progress))
            : verify ? List.of(migration.verify(progress)) : migration.run(progress);
    reports.forEach(report -> session.print(json(report), () -> text(report)));
    MigrationReport last = reports.get(reports.size() - 1);
    boolean done = dryRun || (last.isComplete() && last.defectCount() == 0);
    return done ? ExitCodes.DONE : ExitCodes.FOUND;
  }

  private MigrationOptions options() {
    int modes = (dryRun ? 1 : 0) + (prepare ? 1 : 0) + (verify ? 1 : 0);
    if (modes > 1 || (modes == 1 && (resume || cleanUp))) {
      throw wrongUsage(
          "--dry-run, --prepare and --verify stand alone, without --resume and --cleanup");
    }
    try {
      MigrationOptions options =
          MigrationOptions.defaults().withUnitsPerSecond(rate).withSegments(segments);
      options = resume ? options.resuming() : options;
      return cleanUp ? options.cleaningUp() : options;
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }

  private static Consumer<MigrationReport> progress(Output output) {
    return soFar -> {
      long share = BAR_CELLS * soFar.examined() / Math.max(1, soFar.expected());
      int cells = (int) Math.min(BAR_CELLS, share);
      output.progress(
          "%-11s %s%s %,d items, %,d changes",
          name(soFar.pass()),
          "█".repeat(cells),
          "░".repeat(BAR_CELLS - cells),
          soFar.examined(),
          soFar.changed());
    };
  }

  private static String name(MigrationReport.Pass pass) {
    return pass.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Map<String, @Nullable Object> json(MigrationReport report) {
    return JsonText.object(
        "pass", report.pass().name().toLowerCase(Locale.ROOT),
        "examined", report.examined(),
        "perLimit", report.perLimit(),
        "composite", report.composite(),
        "carriedOver", report.carriedOver(),
        "moved", report.moved(),
        "merged", report.merged(),
        "folded", report.folded(),
        "deleted", report.deleted(),
        "contended", report.contended(),
        "verified", report.verified(),
        "consumedMilli", report.consumedMilli(),
        "tokensMilli", report.tokensMilli(),
        "corrupt", report.corruptCount(),
        "defects", report.defectCount());
  }

  private static List<String> text(MigrationReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT, "%s: %,d items examined", name(report.pass()), report.examined()));
    count(lines, report.perLimit(), "buckets of version 1, not carried over before");
    count(lines, report.composite(), "buckets of version 2, not carried over before");
    count(lines, report.carriedOver(), "buckets carried over before");
    count(lines, report.moved(), "carried over now");
    count(lines, report.merged(), "brought into a bucket that was there");
    count(lines, report.folded(), "charged what old clients consumed afterwards");
    count(lines, report.deleted(), "cleaned up");
    count(lines, report.verified(), "verified");
    count(lines, report.contended(), "changed by others each time: run it again");
    count(lines, report.corruptCount(), "items that make no sense; mend or delete them:");
    report.corrupt().forEach((address, problem) -> lines.add(finding(address, problem)));
    count(lines, report.defectCount(), "buckets that are not what was carried over:");
    report.defects().forEach((address, problem) -> lines.add(finding(address, problem)));
    return lines;
  }

  private static void count(List<String> lines, long count, String what) {
    if (count > 0) {
      lines.add(String.format(Locale.ROOT, "  %,10d  %s", count, what));
    }
  }

  private static String finding(ItemAddress address, String problem) {
    return "              %s %s: %s".formatted(address.partition(), address.sort(), problem);
  }
}
