package dev.millrace.cli.command;

import dev.millrace.admin.CapacityTotals;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.ColumnTable;
import dev.millrace.cli.text.JsonText;
import dev.millrace.cli.text.Output;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Resources: their default limits, their switch, and their capacity. */
@Command(
    name = "resource",
    description = "Default limits of resources, their switch, and what is used of them.",
    footer = {
      "",
      "Examples:",
      "  millrace resource set gpt-4 rpm:100 tpm:10000",
      "  millrace resource capacity gpt-4"
    })
public final class ResourceCommand extends CommandGroup {
  private static final int BAR = 20;

  /** The cascade setting of a resource. */
  enum Cascade {
    ON(true),
    OFF(false),
    INHERIT(null);

    final @Nullable Boolean value;

    Cascade(@Nullable Boolean value) {
      this.value = value;
    }
  }

  @Command(name = "list", description = "Lists the resources about which something is stored.")
  int list(@Mixin ConnectionOptions connection, @Mixin PageOptions page) {
    return connection.run(
        session ->
            page.print(
                session,
                session.namespace().limits()::ofResources,
                AdminJson::of,
                Texts::table,
                "Nothing is stored about any resource."));
  }

  @Command(name = "get", description = "Shows the default limits of a resource.")
  int get(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(session -> LevelOperations.get(session, LimitTarget.resource(name)));
  }

  @Command(
      name = "set",
      description = "Sets the default limits of a resource, in the place of those that it had.")
  int set(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME", index = "0") String name,
      @Parameters(paramLabel = "LIMIT", index = "1..*", arity = "1..*") List<String> limits,
      @Option(
              names = "--allow-other-period",
              description = "Also when the system has a limit of that name by another period.")
          boolean allowOtherPeriod) {
    LimitTarget target = LimitTarget.resource(name);
    return connection.run(
        session -> LevelOperations.set(session, target, limits, allowOtherPeriod));
  }

  @Command(name = "delete", description = "Deletes the default limits of a resource.")
  int delete(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME") String name,
      @Mixin YesOption yes) {
    yes.orAsk("Delete the default limits of resource '" + name + "'?");
    return connection.run(session -> LevelOperations.delete(session, LimitTarget.resource(name)));
  }

  @Command(
      name = "cascade",
      description = "Says whether acquires of a resource also draw on the parent.")
  int cascade(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "NAME", index = "0") String name,
      @Parameters(
              paramLabel = "on|off|inherit",
              index = "1",
              description = "inherit: as the entity says.")
          Cascade cascade) {
    LimitTarget target = LimitTarget.resource(name);
    return change(
        connection,
        name,
        (namespace, progress) -> namespace.limits().setCascade(target, cascade.value, progress));
  }

  @Command(name = "disable", description = "Refuses every acquire of a resource, whoever asks.")
  int disable(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return change(
        connection,
        name,
        (namespace, progress) -> namespace.limits().setDisabled(name, true, progress));
  }

  @Command(name = "enable", description = "Admits acquires of a resource again.")
  int enable(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return change(
        connection,
        name,
        (namespace, progress) -> namespace.limits().setDisabled(name, false, progress));
  }

  private static int change(
      ConnectionOptions connection,
      String name,
      BiFunction<NamespaceAdmin, ProgressListener, ChangeResult> change) {
    return connection.run(
        session ->
            LevelOperations.print(
                session,
                LimitTarget.resource(name),
                change.apply(session.namespace(), session.output().watching())));
  }

  @Command(
      name = "capacity",
      description = "Adds up all buckets of a resource: capacity, what is available, what is used.")
  int capacity(@Mixin ConnectionOptions connection, @Parameters(paramLabel = "NAME") String name) {
    return connection.run(
        session -> {
          Output output = session.output();
          CapacityTotals totals =
              session
                  .namespace()
                  .buckets()
                  .capacity(name, (page, sofar) -> output.progress("%,d buckets", sofar.buckets()));
          return output.one(json(name, totals), () -> table(totals));
        });
  }

  private static Map<String, @Nullable Object> json(String name, CapacityTotals totals) {
    Map<String, Object> limits = new TreeMap<>();
    totals
        .limits()
        .forEach(
            (limit, total) ->
                limits.put(
                    limit,
                    JsonText.object(
                        "buckets", total.buckets(),
                        "capacityMilli", total.capacityMilli(),
                        "availableMilli", total.availableMilli(),
                        "usedMilli", total.usedMilli())));
    return JsonText.object("resource", name, "buckets", totals.buckets(), "limits", limits);
  }

  private static List<String> table(CapacityTotals totals) {
    if (totals.buckets() == 0) {
      return List.of("There are no buckets: the first acquire makes one.");
    }
    ColumnTable table =
        ColumnTable.withNumbersIn(1, 2, 3, 4)
            .row("LIMIT", "BUCKETS", "CAPACITY", "AVAILABLE", "USED", "");
    new TreeMap<>(totals.limits())
        .forEach(
            (limit, total) ->
                table.row(
                    limit,
                    total.buckets(),
                    Bars.tokens(total.capacityMilli()),
                    Bars.whole(total.availableMilli()),
                    Bars.whole(total.usedMilli()),
                    Bars.of(total.usedMilli(), total.capacityMilli(), BAR)));
    return table.lines();
  }
}
