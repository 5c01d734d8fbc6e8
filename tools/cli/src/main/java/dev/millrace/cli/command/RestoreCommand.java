package dev.millrace.cli.command;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.manifest.ManifestOutline;
import dev.millrace.manifest.SpecSource;
import dev.millrace.manifest.backup.BackupFile;
import dev.millrace.manifest.plan.ChangeCounts;
import dev.millrace.manifest.plan.ManifestApplier;
import dev.millrace.manifest.plan.ManifestPlanner;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings configuration and entities back from a file. */
@Command(
    name = "restore",
    description = {
      "Brings the configuration and the entities of a backup into a namespace, empty or not.",
      "What is in the backup is made so; what is not in it is left. May be repeated.",
      "A file that was cut off or changed is refused before anything is written."
    },
    footer = {
      "",
      "Examples:",
      "  millrace restore prod.jsonl.gz --namespace prod --dry-run",
      "  millrace restore prod.jsonl.gz --namespace prod-copy --yes"
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final int CONCURRENCY = 4;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Parameters(paramLabel = "FILE", description = "The backup.")
  @SuppressWarnings("NullAway.Init") // must be given
  private Path file;

  @Option(names = "--dry-run", description = "Show what would be changed; 6 when anything would.")
  private boolean dryRun;

  @Mixin private final YesOption yes = new YesOption();

  @Override
  public Integer call() {
    SpecSource source = new BackupFile(file);
    ManifestOutline outline = ManifestOption.refusing(file, () -> ManifestOutline.of(source));
    if (!dryRun) {
      yes.orAsk("Restore " + file + "? --dry-run shows what it changes.");
    }
    return connection.run(
        session -> {
          if (dryRun) {
            ChangeCounts counts =
                ManifestPlanner.of(
                    session.namespace(),
                    source,
                    outline,
                    null,
                    null,
                    change -> PlanText.print(session.output(), change));
            PlanText.print(session.output(), counts, null);
            return counts.all() == 0 ? ExitCodes.DONE : ExitCodes.FOUND;
          }
          return PlanText.print(
              session.output(),
              "restored",
              ManifestApplier.of(
                  session.namespace(),
                  source,
                  outline,
                  null,
                  CONCURRENCY,
                  counts ->
                      session
                          .output()
                          .progress(String.format(Locale.ROOT, "%,d changes", counts.all()))));
        });
  }
}
