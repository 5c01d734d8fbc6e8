package dev.millrace.cli.command;

import dev.millrace.Limit;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.ColumnTable;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.manifest.ChangeCounts;
import dev.millrace.manifest.NamespaceManifest;
import dev.millrace.manifest.internal.BlastRadius;
import dev.millrace.manifest.internal.ManifestApplier;
import dev.millrace.manifest.internal.ManifestFile;
import dev.millrace.manifest.internal.ManifestOutline;
import dev.millrace.manifest.internal.ManifestPlanner;
import dev.millrace.manifest.internal.ManifestWriter;
import dev.millrace.manifest.internal.NamespaceSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stored limits at every level, and limits as code. */
@Command(
    name = "limits",
    description = {
      "Gets, sets, deletes and explains limits at each level: entity+resource, entity, resource,",
      "system. The strongest level that has any gives all of them.",
      "Limits as code: validate, plan, apply and export work on a manifest."
    },
    footer = {
      "",
      "A limit is name:rate[/[N]sec|min|hour|day][:burst][:soft].",
      "",
      "Examples:",
      "  millrace limits set rpm:100 tpm:10000/min:20000 --resource gpt-4",
      "  millrace limits set tpm:50000 --entity acme --resource gpt-4",
      "  millrace limits explain --entity key-42 --resource gpt-4",
      "  millrace limits plan -f limits.yaml && echo nothing to do",
      "  millrace limits apply -f limits.yaml --yes"
    })
public final class LimitsCommand extends CommandGroup {
  private static final String SCHEMA = "/dev/millrace/manifest/manifest.schema.json";

  @Command(
      name = "get",
      description = "Shows what is stored at one level; the system's without options.")
  int get(@Mixin ConnectionOptions connection, @Mixin TargetOptions target) {
    return connection.run(session -> LevelOperations.get(session, target.target()));
  }

  @Command(
      name = "set",
      description = {
        "Sets all limits of one level, in the place of those that it had.",
        "Existing buckets follow before the command ends."
      })
  int set(
      @Mixin ConnectionOptions connection,
      @Mixin TargetOptions target,
      @Parameters(paramLabel = "LIMIT", arity = "1..*", description = "Such as rpm:100/min.")
          List<String> limits,
      @Option(
              names = "--allow-other-period",
              description = "Also when a weaker level has a limit of that name by another period.")
          boolean allowOtherPeriod) {
    return connection.run(
        session -> LevelOperations.set(session, target.target(), limits, allowOtherPeriod));
  }

  @Command(
      name = "delete",
      description = "Deletes the limits of one level, so that the next weaker one holds.")
  int delete(
      @Mixin ConnectionOptions connection, @Mixin TargetOptions target, @Mixin YesOption yes) {
    yes.orAsk("Delete the limits of " + LevelOperations.name(target.target()) + "?");
    return connection.run(session -> LevelOperations.delete(session, target.target()));
  }

  @Command(
      name = "explain",
      description = "Says where every limit of an entity and resource comes from.")
  int explain(
      @Mixin ConnectionOptions connection,
      @Option(
              names = {"-e", "--entity"},
              paramLabel = "ID",
              required = true,
              description = "The entity.")
          String entity,
      @Option(
              names = {"-r", "--resource"},
              paramLabel = "NAME",
              required = true,
              description = "The resource.")
          String resource) {
    return connection.run(
        session -> {
          LimitExplanation explanation = session.namespace().limits().explain(entity, resource);
          return session.print(AdminJson.of(explanation), () -> text(explanation));
        });
  }

  private static List<String> text(LimitExplanation explanation) {
    List<String> lines = new ArrayList<>();
    lines.add(
        explanation.entityId()
            + " on "
            + explanation.resource()
            + (explanation.registered() ? "" : " (no such entity; limits do not need one)"));
    if (explanation.level() == null) {
      lines.add("No level has limits: calls must bring them.");
    } else {
      ColumnTable table = ColumnTable.withNumbersIn().row("LIMIT", "FROM", "NOT COUNTING");
      for (Limit limit : explanation.limits()) {
        String elsewhere =
            new TreeMap<>(explanation.elsewhere().getOrDefault(limit.name(), Map.of()))
                .entrySet().stream()
                    .map(each -> each.getValue() + " (" + each.getKey().label() + ")")
                    .collect(Collectors.joining(", "));
        table.row(limit, explanation.level().label(), elsewhere.isEmpty() ? "–" : elsewhere);
      }
      lines.addAll(table.lines());
    }
    ConfigLevel from = explanation.cascadeFrom();
    lines.add(
        "draws on its parent: "
            + Texts.yesNo(explanation.cascade())
            + (from == null ? "" : ", says " + from.label()));
    List<String> refusals = new ArrayList<>();
    if (explanation.disabledByEntity()) {
      refusals.add("the entity is disabled");
    }
    if (explanation.disabledByResource()) {
      refusals.add("the resource is disabled");
    }
    lines.add("refused: " + (refusals.isEmpty() ? "no" : "yes, " + String.join(", ", refusals)));
    for (LimitExplanation.Ancestor ancestor : explanation.ancestors()) {
      lines.add(
          "ancestor "
              + ancestor.entityId()
              + (ancestor.drawnOn() ? ", drawn on" : ", not drawn on")
              + (ancestor.disabled() ? ", disabled" : ""));
    }
    return lines;
  }

  @Command(name = "schema", description = "Prints the JSON schema of manifests, for editors.")
  int schema() {
    try (InputStream in = ManifestFile.class.getResourceAsStream(SCHEMA)) {
      byte[] schema = Objects.requireNonNull(in, "the build left out " + SCHEMA).readAllBytes();
      print(new String(schema, StandardCharsets.UTF_8).stripTrailing());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ExitCodes.DONE;
  }

  @Command(
      name = "validate",
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
    String text =
        String.format(
            Locale.ROOT,
            "%s is a manifest of %,d resources and %,d entities",
            manifest.file(),
            outline.resources(),
            outline.entities());
    return output(json).one(fields, () -> List.of(text));
  }

  @Command(
      name = "plan",
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
                          outline,
                          outline.header().name(),
                          radius,
                          change -> PlanText.print(session.output(), change)));
          return PlanText.print(session.output(), counts, radius);
        });
  }

  @Command(
      name = "apply",
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
          NamespaceManifest.Result result =
              ManifestOption.refusing(
                  manifest.file(),
                  () ->
                      ManifestApplier.of(
                          session.namespace(),
                          outline,
                          outline.header().name(),
                          concurrency,
                          counts ->
                              session
                                  .output()
                                  .progress(
                                      "%,d changes, %,d of %,d entities",
                                      counts.all(), counts.entities(), outline.entities())));
          return PlanText.print(session.output(), "applied", result);
        });
  }

  @Command(
      name = "export",
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
          NamespaceSource source = new NamespaceSource(session.namespace());
          if (file == null) {
            PrintWriter out = spec().commandLine().getOut();
            source.read(new ManifestWriter(out));
            out.flush();
            return ExitCodes.DONE;
          }
          try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            source.read(new ManifestWriter(out));
          } catch (IOException e) {
            throw CommandFailure.notWritten(file, e);
          }
          return session.print(Map.of("file", file.toString()), "written to " + file);
        });
  }
}
