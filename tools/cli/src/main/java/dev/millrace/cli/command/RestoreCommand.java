package dev.millrace.cli.command;

import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.Output;
import dev.millrace.manifest.ChangeCounts;
import dev.millrace.manifest.internal.BackupFile;
import dev.millrace.manifest.internal.ManifestApplier;
import dev.millrace.manifest.internal.ManifestOutline;
import dev.millrace.manifest.internal.ManifestPlanner;
import dev.millrace.manifest.internal.SpecSource;
import java.nio.file.Path;
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
public final class RestoreCommand extends CliCommand implements Callable<Integer> {
  private static final int CONCURRENCY = 4;

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Parameters(paramLabel = "FILE", description = "The backup.")
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
          Output output = session.output();
          NamespaceAdmin namespace = session.namespace();
          if (dryRun) {
            ChangeCounts counts =
                ManifestPlanner.of(
                    namespace, outline, null, null, change -> PlanText.print(output, change));
            return PlanText.print(output, counts, null);
          }
          return PlanText.print(
              output,
              "restored",
              ManifestApplier.of(
                  namespace,
                  outline,
                  null,
                  CONCURRENCY,
                  counts -> output.progress("%,d changes", counts.all())));
        });
  }
}
