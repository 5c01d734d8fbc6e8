package dev.millrace.cli.command;

import dev.millrace.admin.BucketAdmin;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.OperationResult;
import dev.millrace.admin.ShardView;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.YesOption;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.ColumnTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and changes single buckets. */
@Command(
    name = "bucket",
    description = "Shows, fills, tops up and divides buckets.",
    footer = {
      "",
      "Examples:",
      "  millrace bucket show key-42 gpt-4",
      "  millrace bucket top-up key-42 gpt-4 tpm=5000",
      "  millrace bucket reset key-42 gpt-4 --limit tpm --yes"
    })
public final class BucketCommand extends CommandGroup {
  private static final int BAR = 24;

  @Command(name = "show", description = "Shows the balance of every limit, and its shards.")
  int show(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ENTITY", index = "0") String entity,
      @Parameters(paramLabel = "RESOURCE", index = "1") String resource) {
    return connection.run(
        session -> {
          BucketAdmin buckets = session.namespace().buckets();
          String missing =
              "'%s' has no bucket of '%s': the first acquire makes it, full"
                  .formatted(entity, resource);
          BucketReport bucket =
              buckets.get(entity, resource).orElseThrow(CommandFailure.notFound(missing));
          List<ShardView> shards = buckets.shards(entity, resource);
          Map<String, Object> json = AdminJson.of(bucket);
          json.put("parts", shards.stream().map(AdminJson::of).toList());
          return session.print(json, () -> text(bucket, shards));
        });
  }

  private static List<String> text(BucketReport bucket, List<ShardView> shards) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s on %s: limits from %s%s, %d of %d shards"
            .formatted(
                bucket.entityId(),
                bucket.resource(),
                bucket.stamp().level().label(),
                bucket.stamp().disabled() ? ", disabled" : "",
                bucket.shards(),
                bucket.targetShards()));
    ColumnTable table =
        ColumnTable.withNumbersIn(1, 2, 4).row("LIMIT", "AVAILABLE", "OF", "", "EVER CONSUMED");
    for (BucketReport.Balance balance : bucket.limits()) {
      table.row(
          balance.limit(),
          Bars.whole(balance.availableMilli()),
          Bars.tokens(balance.limit().burstMilli()),
          Bars.of(balance.availableMilli(), balance.limit().burstMilli(), BAR),
          Bars.tokens(balance.consumedMilli()));
    }
    lines.addAll(table.lines());
    if (shards.size() > 1) {
      lines.add("");
      ColumnTable parts =
          ColumnTable.withNumbersIn(2, 3).row("SHARD", "LIMIT", "AVAILABLE", "OF", "");
      for (ShardView shard : shards) {
        for (ShardView.Part part : shard.limits()) {
          parts.row(
              shard.shard(),
              part.limit(),
              Bars.whole(part.availableMilli()),
              Bars.tokens(part.ceilingMilli()),
              Bars.of(part.availableMilli(), part.ceilingMilli(), BAR));
        }
      }
      lines.addAll(parts.lines());
    }
    return lines;
  }

  @Command(name = "list", description = "Lists the buckets of an entity or of a resource.")
  int list(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @Option(
              names = {"-e", "--entity"},
              paramLabel = "ID",
              description = "Whose.")
          @Nullable String entity,
      @Option(
              names = {"-r", "--resource"},
              paramLabel = "NAME",
              description = "Of what.")
          @Nullable String resource) {
    if ((entity == null) == (resource == null)) {
      throw wrongUsage("say which: either --entity or --resource");
    }
    return connection.run(
        session ->
            page.print(
                session,
                (size, cursor) -> {
                  BucketAdmin buckets = session.namespace().buckets();
                  return entity == null
                      ? buckets.ofResource(String.valueOf(resource), size, cursor)
                      : buckets.ofEntity(entity, size, cursor);
                },
                AdminJson::of,
                BucketCommand::table,
                "There are no buckets: the first acquire makes one."));
  }

  private static List<String> table(List<BucketReport> buckets) {
    ColumnTable table =
        ColumnTable.withNumbersIn(2, 4, 5)
            .row("ENTITY", "RESOURCE", "SHARDS", "LIMIT", "AVAILABLE", "OF", "");
    for (BucketReport bucket : buckets) {
      for (BucketReport.Balance balance : bucket.limits()) {
        table.row(
            bucket.entityId(),
            bucket.resource(),
            bucket.shards(),
            balance.limit().name(),
            Bars.whole(balance.availableMilli()),
            Bars.tokens(balance.limit().burstMilli()),
            Bars.of(balance.availableMilli(), balance.limit().burstMilli(), BAR));
      }
    }
    return table.lines();
  }

  @Command(name = "reset", description = "Fills limits to their ceiling; debt is forgiven.")
  int reset(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ENTITY", index = "0") String entity,
      @Parameters(paramLabel = "RESOURCE", index = "1") String resource,
      @Option(names = "--limit", paramLabel = "NAME", description = "Which ones (default: all).")
          @Nullable Set<String> limits,
      @Mixin OperationOption operation,
      @Mixin YesOption yes) {
    yes.orAsk("Fill the bucket of '%s' on '%s' and forgive its debt?".formatted(entity, resource));
    Set<String> named = limits == null ? Set.of() : limits;
    return change(
        connection, "reset", buckets -> buckets.reset(entity, resource, named, operation.id()));
  }

  @Command(name = "top-up", description = "Gives tokens, up to the ceiling of each limit.")
  int topUp(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ENTITY", index = "0") String entity,
      @Parameters(paramLabel = "RESOURCE", index = "1") String resource,
      @Parameters(paramLabel = "LIMIT=TOKENS", index = "2..*", arity = "1..*")
          Map<String, Long> amounts,
      @Mixin OperationOption operation) {
    return change(
        connection,
        "topped up",
        buckets -> buckets.topUp(entity, resource, amounts, operation.id()));
  }

  private static int change(
      ConnectionOptions connection, String done, Function<BucketAdmin, OperationResult> change) {
    return connection.run(
        session -> {
          OperationResult result = change.apply(session.namespace().buckets());
          String id = result.operationId();
          return session.print(
              AdminJson.of(result),
              result.doneBefore()
                  ? "was done before under operation " + id + ", at " + result.at()
                  : done + " " + result.shards() + " shards, operation " + id);
        });
  }

  @Command(
      name = "resize",
      description = "Says how many shards a bucket should have; they split as they are drawn on.")
  int resize(
      @Mixin ConnectionOptions connection,
      @Parameters(paramLabel = "ENTITY", index = "0") String entity,
      @Parameters(paramLabel = "RESOURCE", index = "1") String resource,
      @Parameters(paramLabel = "SHARDS", index = "2", description = "A power of two up to 64.")
          int shards) {
    return connection.run(
        session -> {
          boolean changed = session.namespace().buckets().resize(entity, resource, shards);
          return session.print(Map.of("changed", changed), Texts.changed(changed));
        });
  }

  /** The id of an operation, which may be repeated under it without being done twice. */
  static final class OperationOption {
    @Option(
        names = "--operation",
        paramLabel = "ID",
        description = "Repeated under the same id, it is done once (default: a new one).")
    private @Nullable String id;

    String id() {
      return id == null ? UUID.randomUUID().toString() : id;
    }
  }
}
