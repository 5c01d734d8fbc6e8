package dev.millrace.cli.command;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.Output;
import dev.millrace.dynamodb.admin.migration.Migration;
import dev.millrace.dynamodb.admin.migration.MigrationOptions;
import dev.millrace.dynamodb.admin.migration.MigrationPass;
import dev.millrace.dynamodb.admin.migration.MigrationProgress;
import dev.millrace.dynamodb.admin.migration.MigrationReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
public final class MigrateCommand implements Callable<Integer> {
  private static final int BAR_CELLS = 30;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Mixin
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private final HelpOption help = new HelpOption();

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
    Output output = session.output();
    Migration migration = Migration.of(session.client(), session.settings().table(), options);
    if (prepare) {
      migration.prepare();
      output.one(
          Map.of("table", session.settings().table(), "prepared", true),
          "limiters look for older buckets from now on");
      return ExitCodes.DONE;
    }
    List<MigrationReport> reports;
    if (dryRun) {
      reports = List.of(migration.dryRun(progress(output)));
    } else if (verify) {
      reports = List.of(migration.verify(progress(output)));
    } else {
      reports = migration.run(progress(output));
    }
    reports.forEach(report -> output.one(json(report), () -> text(report)));
    return dryRun || isDone(reports.get(reports.size() - 1)) ? ExitCodes.DONE : ExitCodes.FOUND;
  }

  private MigrationOptions options() {
    int modes = (dryRun ? 1 : 0) + (prepare ? 1 : 0) + (verify ? 1 : 0);
    if (modes > 1 || (modes == 1 && (resume || cleanUp))) {
      throw new ParameterException(
          spec.commandLine(),
          "--dry-run, --prepare and --verify stand alone, without --resume and --cleanup");
    }
    try {
      MigrationOptions options =
          MigrationOptions.defaults().withUnitsPerSecond(rate).withSegments(segments);
      options = resume ? options.resuming() : options;
      return cleanUp ? options.cleaningUp() : options;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean isDone(MigrationReport last) {
    return last.isComplete() && last.defectCount() == 0;
  }

  private static MigrationProgress progress(Output output) {
    return (pass, examined, expected, changed) -> {
      int cells = (int) Math.min(BAR_CELLS, BAR_CELLS * examined / Math.max(1, expected));
      output.progress(
          String.format(
              Locale.ROOT,
              "%-11s %s%s %,d items, %,d changes",
              name(pass),
              "█".repeat(cells),
              "░".repeat(BAR_CELLS - cells),
              examined,
              changed));
    };
  }

  private static String name(MigrationPass pass) {
    return pass.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Map<String, Object> json(MigrationReport report) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("pass", report.pass().name().toLowerCase(Locale.ROOT));
    json.put("examined", report.examined());
    json.put("perLimit", report.perLimit());
    json.put("composite", report.composite());
    json.put("carriedOver", report.carriedOver());
    json.put("moved", report.moved());
    json.put("merged", report.merged());
    json.put("folded", report.folded());
    json.put("deleted", report.deleted());
    json.put("contended", report.contended());
    json.put("verified", report.verified());
    json.put("consumedMilli", report.consumedMilli());
    json.put("tokensMilli", report.tokensMilli());
    json.put("corrupt", report.corruptCount());
    json.put("defects", report.defectCount());
    return json;
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
    report.corrupt().forEach(finding -> lines.add(finding(finding)));
    count(lines, report.defectCount(), "buckets that are not what was carried over:");
    report.defects().forEach(finding -> lines.add(finding(finding)));
    return lines;
  }

  private static void count(List<String> lines, long count, String what) {
    if (count > 0) {
      lines.add(String.format(Locale.ROOT, "  %,10d  %s", count, what));
    }
  }

  private static String finding(MigrationReport.Finding finding) {
    return "              %s %s: %s"
        .formatted(finding.address().partition(), finding.address().sort(), finding.problem());
  }
}
