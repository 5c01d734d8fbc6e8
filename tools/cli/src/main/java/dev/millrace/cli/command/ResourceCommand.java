package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.CapacityTotals;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Resources: their default limits, their switch, what is used of them. */
@Command(
    name = "resource",
    description = "Default limits of resources, their switch, and what is used of them.",
    footer = {
      "",
      "Examples:",
      "  millrace resource set gpt-4 rpm:100 tpm:10000",
      "  millrace resource capacity gpt-4"
    })
public final class ResourceCommand extends Group {
  private static final int BAR = 20;

  /** Whether an acquire also draws on the parent. */
  enum Cascade {
    ON(true),
    OFF(false),
    INHERIT(null);

    final @Nullable Boolean value;

    Cascade(@Nullable Boolean value) {
      this.value = value;
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the resources about which something is stored.")
  int list(@Mixin ConnectionOptions connection, @Mixin PageOptions page) {
    return connection.run(
        session ->
            page.print(
                session,
                session.namespace().limits()::ofResources,
                AdminJson::of,
                LevelTable::of,
                "Nothing is stored about any resource."));
  }

  @Command(
      name = "get",
      mixinStandardHelpOptions = true,
      description = "Shows the default limits of a resource.")
  int get(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(session -> LevelWork.get(session, LimitTarget.resource(name)));
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
      description = "Sets the default limits of a resource, in the place of those that it had.")
  int set(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME", index = "0") String name,
      @Parameters(paramLabel = "LIMIT", index = "1..*", arity = "1..*") List<String> limits,
      @Option(
              names = "--allow-other-period",
              description = "Also when the system has a limit of that name by another period.")
          boolean allowOtherPeriod) {
    return connection.run(
        session -> LevelWork.set(session, LimitTarget.resource(name), limits, allowOtherPeriod));
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Deletes the default limits of a resource.")
  int delete(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin YesOption yes) {
    yes.orAsk("Delete the default limits of resource '" + name + "'?");
    return connection.run(session -> LevelWork.delete(session, LimitTarget.resource(name)));
  }

  @Command(
      name = "cascade",
      mixinStandardHelpOptions = true,
      description = "Says whether acquires of a resource also draw on the parent.")
  int cascade(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME", index = "0") String name,
      @Parameters(
              paramLabel = "on|off|inherit",
              index = "1",
              description = "inherit: as the entity says.")
          Cascade cascade) {
    return change(
        connection,
        name,
        session ->
            session
                .namespace()
                .limits()
                .setCascade(
                    LimitTarget.resource(name), cascade.value, session.output().watching()));
  }

  @Command(
      name = "disable",
      mixinStandardHelpOptions = true,
      description = "Refuses every acquire of a resource, whoever asks.")
  int disable(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return change(
        connection,
        name,
        session ->
            session.namespace().switches().disableResource(name, session.output().watching()));
  }

  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = "Admits acquires of a resource again.")
  int enable(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return change(
        connection,
        name,
        session ->
            session.namespace().switches().enableResource(name, session.output().watching()));
  }

  private static int change(
      ConnectionOptions connection, String name, Function<Session, ChangeResult> change) {
    return connection.run(
        session -> LevelWork.told(session, LimitTarget.resource(name), change.apply(session)));
  }

  @Command(
      name = "capacity",
      mixinStandardHelpOptions = true,
      description = "Adds up all buckets of a resource: capacity, what is available, what is used.")
  int capacity(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(
        session -> {
          CapacityTotals totals =
              session
                  .namespace()
                  .capacity()
                  .all(
                      name,
                      (page, sofar) ->
                          session.output().progress("%,d buckets".formatted(sofar.buckets())));
          session.output().one(json(name, totals), () -> table(totals));
          return ExitCodes.DONE;
        });
  }

  private static Map<String, Object> json(String name, CapacityTotals totals) {
    Map<String, Object> limits = new TreeMap<>();
    totals
        .limits()
        .forEach(
            (limit, total) -> {
              Map<String, Object> each = new LinkedHashMap<>();
              each.put("buckets", total.buckets());
              each.put("capacityMilli", total.capacityMilli());
              each.put("availableMilli", total.availableMilli());
              each.put("usedMilli", total.usedMilli());
              limits.put(limit, each);
            });
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("resource", name);
    json.put("buckets", totals.buckets());
    json.put("limits", limits);
    return json;
  }

  private static List<String> table(CapacityTotals totals) {
    if (totals.buckets() == 0) {
      return List.of("There are no buckets: the first acquire makes one.");
    }
    TextTable table =
        TextTable.ofTexts(1, 2, 3, 4).row("LIMIT", "BUCKETS", "CAPACITY", "AVAILABLE", "USED", "");
    new TreeMap<>(totals.limits())
        .forEach(
            (limit, total) ->
                table.row(
                    limit,
                    String.valueOf(total.buckets()),
                    Bars.tokens(total.capacityMilli()),
                    Bars.whole(total.availableMilli()),
                    Bars.whole(total.usedMilli()),
                    Bars.of(total.usedMilli(), total.capacityMilli(), BAR)));
    return table.lines();
  }
}
