package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import java.util.List;
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
public final class LimitsCommand extends ManifestCommands {
  @Command(
      name = "get",
      mixinStandardHelpOptions = true,
      description = "Shows what is stored at one level; the system's without options.")
  int get(@Mixin ConnectionOptions connection, @Mixin TargetOptions target) {
    return connection.run(session -> LevelWork.get(session, target.target()));
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
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
        session -> LevelWork.set(session, target.target(), limits, allowOtherPeriod));
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes the limits of one level, so that the next weaker one holds.")
  int delete(
      @Mixin ConnectionOptions connection, @Mixin TargetOptions target, @Mixin YesOption yes) {
    yes.orAsk("Delete the limits of " + TargetOptions.name(target.target()) + "?");
    return connection.run(session -> LevelWork.delete(session, target.target()));
  }

  @Command(
      name = "explain",
      mixinStandardHelpOptions = true,
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
          session.output().one(AdminJson.of(explanation), () -> Explained.text(explanation));
          return ExitCodes.DONE;
        });
  }
}
