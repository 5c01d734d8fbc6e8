package dev.millrace.cli.command;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.Output;
import dev.millrace.manifest.ManifestOutline;
import dev.millrace.manifest.NamespaceSource;
import dev.millrace.manifest.plan.BlastRadius;
import dev.millrace.manifest.plan.ChangeCounts;
import dev.millrace.manifest.plan.ManifestApplier;
import dev.millrace.manifest.plan.ManifestPlanner;
import dev.millrace.manifest.yaml.ManifestFile;
import dev.millrace.manifest.yaml.ManifestWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Limits as code: the commands below {@code limits} that work on a manifest. */
abstract class ManifestCommands extends Group {
  private static final String SCHEMA = "manifest.schema.json";

  @Command(
      name = "schema",
      mixinStandardHelpOptions = true,
      description = "Prints the JSON schema of manifests, for editors.")
  int schema() {
    try (InputStream in =
        ManifestFile.class.getResourceAsStream("/dev/millrace/manifest/" + SCHEMA)) {
      if (in == null) {
        throw new IllegalStateException("the build left out " + SCHEMA);
      }
      spec().commandLine().getOut().print(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      spec().commandLine().getOut().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ExitCodes.DONE;
  }

  @Command(
      name = "validate",
      mixinStandardHelpOptions = true,
      description = "Checks a manifest without any table: every mistake with its line and column.")
  int validate(
      @Mixin ManifestOption manifest,
      @Option(names = "--json", description = "Print one JSON object.") boolean json) {
    ManifestOutline outline = manifest.outline();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("valid", true);
    fields.put("name", outline.header().name());
    fields.put("resources", outline.resources());
    fields.put("entities", outline.entities());
    CommandSpec command = spec();
    new Output(command.commandLine().getOut(), command.commandLine().getErr(), json, false)
        .one(
            fields,
            String.format(
                Locale.ROOT,
                "%s is a manifest of %,d resources and %,d entities",
                manifest.file(),
                outline.resources(),
                outline.entities()));
    return ExitCodes.DONE;
  }

  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = {
        "Shows what an apply would change, and whom that would meet. Changes nothing.",
        "Ends with 6 when there is a difference, with 0 when there is none."
      })
  int plan(
      @Mixin ConnectionOptions connection,
      @Mixin ManifestOption manifest,
      @Option(
              names = "--no-blast-radius",
              description = "Do not look at buckets and at the last day's usage.")
          boolean noRadius) {
    ManifestOutline outline = manifest.outline();
    return connection.run(
        session -> {
          ManifestOption.requireNamespace(session, outline.header());
          BlastRadius radius =
              noRadius
                  ? null
                  : new BlastRadius(session.namespace(), session.usage(), Instant.now());
          ChangeCounts counts =
              ManifestOption.refusing(
                  manifest.file(),
                  () ->
                      ManifestPlanner.of(
                          session.namespace(),
                          manifest.source(),
                          outline,
                          outline.header().name(),
                          radius,
                          change -> PlanText.print(session.output(), change)));
          PlanText.print(session.output(), counts, radius);
          return counts.all() == 0 ? ExitCodes.DONE : ExitCodes.FOUND;
        });
  }

  @Command(
      name = "apply",
      mixinStandardHelpOptions = true,
      description = {
        "Makes the namespace as the manifest wants it. What is so already is not written.",
        "Interrupted or killed, it goes on where it was when it is run again.",
        "Removes only what the manifest made and no longer names."
      })
  int apply(
      @Mixin ConnectionOptions connection,
      @Mixin ManifestOption manifest,
      @Option(
              names = "--concurrency",
              paramLabel = "N",
              defaultValue = "4",
              description = "How many changes at the same time (default: ${DEFAULT-VALUE}).")
          int concurrency,
      @Mixin YesOption yes) {
    ManifestOutline outline = manifest.outline();
    yes.orAsk("Apply " + manifest.file() + "? 'limits plan' shows what it changes.");
    return connection.run(
        session -> {
          ManifestOption.requireNamespace(session, outline.header());
          ManifestApplier.Result result =
              ManifestOption.refusing(
                  manifest.file(),
                  () ->
                      ManifestApplier.of(
                          session.namespace(),
                          manifest.source(),
                          outline,
                          outline.header().name(),
                          concurrency,
                          counts -> progress(session, counts, outline)));
          return PlanText.print(session.output(), "applied", result);
        });
  }

  private static void progress(Session session, ChangeCounts counts, ManifestOutline outline) {
    session
        .output()
        .progress(
            String.format(
                Locale.ROOT,
                "%,d changes, %,d of %,d entities",
                counts.all(),
                counts.entities(),
                outline.entities()));
  }

  @Command(
      name = "export",
      mixinStandardHelpOptions = true,
      description = "Writes what is there as a manifest that changes nothing.")
  int export(
      @Mixin ConnectionOptions connection,
      @Option(
              names = {"-o", "--output"},
              paramLabel = "FILE",
              description = "Where to (default: standard output).")
          @Nullable Path file) {
    return connection.run(
        session -> {
          if (file == null) {
            PrintWriter out = spec().commandLine().getOut();
            new NamespaceSource(session.namespace()).read(new ManifestWriter(out));
            out.flush();
            return ExitCodes.DONE;
          }
          try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            new NamespaceSource(session.namespace()).read(new ManifestWriter(out));
          } catch (IOException e) {
            throw CommandFailure.notWritten(file, e);
          }
          session.output().one(Map.of("file", file.toString()), "written to " + file);
          return ExitCodes.DONE;
        });
  }
}
