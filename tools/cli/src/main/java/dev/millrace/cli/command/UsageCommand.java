package dev.millrace.cli.command;

import dev.millrace.admin.Usage;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.admin.UsageSummary;
import dev.millrace.admin.internal.AdminJson;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.ColumnTable;
import dev.millrace.cli.text.JsonText;
import dev.millrace.cli.text.SvgChart;
import dev.millrace.core.spi.usage.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows usage as an aggregator has counted it. */
@Command(
    name = "usage",
    description = "What was used by hour, day and month, as the aggregator has counted it.",
    footer = {
      "",
      "A TIME is 2026-11-15T20:00:00Z, 2026-11-15 in UTC, now, or so long ago: 90m, 24h, 7d.",
      "",
      "Examples:",
      "  millrace usage list --entity key-42 --resource gpt-4 --from 24h",
      "  millrace usage list --entity key-42 --resource gpt-4 --window day --plot usage.svg",
      "  millrace usage top --resource gpt-4 --limit tpm"
    })
public final class UsageCommand extends CommandGroup {
  private static final int BAR = 30;

  /** The options that name a resource, a window and a range of time; a mixin. */
  static final class UsageRange {
    @Option(
        names = {"-r", "--resource"},
        paramLabel = "NAME",
        required = true,
        description = "Of what.")
    private String resource;

    @Option(
        names = {"-w", "--window"},
        paramLabel = "WINDOW",
        defaultValue = "hour",
        description = "hour, day or month, or as day@Europe/Berlin (default: ${DEFAULT-VALUE}).")
    private String window;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        defaultValue = "24h",
        description = "Pieces that begin then or later (default: ${DEFAULT-VALUE} ago).")
    private String from;

    @Option(
        names = "--to",
        paramLabel = "TIME",
        defaultValue = "now",
        description = "And before then (default: ${DEFAULT-VALUE}).")
    private String to;

    Window window() {
      return Window.parse(window);
    }

    /** The start of the window that the earliest time is in. */
    Instant from(Instant now) {
      return Instant.ofEpochMilli(window().startOf(Texts.time(from, now).toEpochMilli()));
    }

    Instant to(Instant now) {
      return Texts.time(to, now);
    }
  }

  @Command(
      name = "list",
      description = "Lists an entity's usage piece by piece, the earliest first.")
  int list(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @Mixin UsageRange range,
      @Option(
              names = {"-e", "--entity"},
              paramLabel = "ID",
              required = true,
              description = "Whose.")
          String entity,
      @Option(
              names = {"-p", "--plot"},
              paramLabel = "FILE",
              description = "Also draw it, as SVG.")
          @Nullable Path plot) {
    return connection.run(
        session -> {
          Instant from = range.from(Instant.now());
          Instant to = range.to(Instant.now());
          Window window = range.window();
          SvgChart chart = new SvgChart("%s on %s by %s".formatted(entity, range.resource, window));
          int exit =
              page.print(
                  session,
                  (size, cursor) ->
                      session.usage().range(entity, range.resource, window, from, to, size, cursor),
                  usage -> {
                    Instant start = usage.start();
                    usage.totalMilli().forEach((limit, milli) -> chart.bar(limit, start, milli));
                    return AdminJson.of(usage);
                  },
                  UsageCommand::table,
                  "No usage is counted in this range.");
          if (plot != null) {
            try {
              Files.writeString(plot, chart.render());
            } catch (IOException e) {
              throw CommandFailure.notWritten(plot, e);
            }
            session.output().line("drawn in " + plot);
          }
          return exit;
        });
  }

  private static List<String> table(List<Usage> pieces) {
    Map<String, Long> most = new HashMap<>();
    for (Usage usage : pieces) {
      usage.totalMilli().forEach((limit, milli) -> most.merge(limit, milli, Math::max));
    }
    ColumnTable table = ColumnTable.withNumbersIn(2).row("START", "LIMIT", "TOKENS", "");
    for (Usage usage : pieces) {
      new TreeMap<>(usage.totalMilli())
          .forEach(
              (limit, milli) -> {
                String bar = Bars.of(milli, most.getOrDefault(limit, 1L), BAR);
                table.row(usage.start(), limit, Bars.tokens(milli), bar);
              });
    }
    return table.lines();
  }

  @Command(
      name = "summary",
      description = {
        "Adds up: an entity's usage in a range, or without --entity everybody's in the one piece",
        "of time that --from is in."
      })
  int summary(
      @Mixin ConnectionOptions connection,
      @Mixin UsageRange range,
      @Option(
              names = {"-e", "--entity"},
              paramLabel = "ID",
              description = "Whose.")
          @Nullable String entity) {
    return connection.run(
        session -> {
          UsageAdmin usage = session.usage();
          Window window = range.window();
          Instant from = range.from(Instant.now());
          Instant to = range.to(Instant.now());
          UsageSummary summary =
              entity == null
                  ? usage.ofResource(range.resource, window, from)
                  : usage.summary(entity, range.resource, window, from, to);
          return session.print(json(summary), () -> table(summary));
        });
  }

  private static Map<String, @Nullable Object> json(UsageSummary summary) {
    Map<String, Object> limits = new TreeMap<>();
    summary
        .limits()
        .forEach(
            (limit, total) ->
                limits.put(
                    limit,
                    JsonText.object(
                        "totalMilli", total.totalMilli(),
                        "peakMilli", total.peakMilli(),
                        "peakEntity", total.peakEntityId(),
                        "peakStart", total.peakStart().toString())));
    return JsonText.object(
        "pieces", summary.pieces(), "events", summary.events(), "limits", limits);
  }

  private static List<String> table(UsageSummary summary) {
    if (summary.pieces() == 0) {
      return List.of("No usage is counted in this range.");
    }
    List<String> lines = new ArrayList<>();
    lines.add("%,d pieces, %,d events".formatted(summary.pieces(), summary.events()));
    ColumnTable table =
        ColumnTable.withNumbersIn(1, 2, 3)
            .row("LIMIT", "TOTAL", "AVERAGE", "PEAK", "PEAK OF", "PEAK AT");
    new TreeMap<>(summary.limits())
        .forEach(
            (limit, total) ->
                table.row(
                    limit,
                    Bars.tokens(total.totalMilli()),
                    Bars.tokens(total.totalMilli() / summary.pieces()),
                    Bars.tokens(total.peakMilli()),
                    total.peakEntityId(),
                    total.peakStart()));
    lines.addAll(table.lines());
    return lines;
  }

  @Command(
      name = "top",
      description = "Lists those who used the most of a limit in one piece of time.")
  int top(
      @Mixin ConnectionOptions connection,
      @Option(
              names = {"-r", "--resource"},
              paramLabel = "NAME",
              required = true,
              description = "Of what.")
          String resource,
      @Option(
              names = {"-l", "--limit"},
              paramLabel = "NAME",
              required = true,
              description = "Of which limit.")
          String limit,
      @Option(
              names = {"-w", "--window"},
              paramLabel = "WINDOW",
              defaultValue = "hour",
              description = "hour, day or month (default: ${DEFAULT-VALUE}).")
          String window,
      @Option(
              names = "--at",
              paramLabel = "TIME",
              defaultValue = "now",
              description = "A time in that piece (default: ${DEFAULT-VALUE}).")
          String at,
      @Option(
              names = "--count",
              paramLabel = "N",
              defaultValue = "10",
              description = "How many (default: ${DEFAULT-VALUE}).")
          int count) {
    return connection.run(
        session -> {
          Instant time = Texts.time(at, Instant.now());
          List<Usage> top = session.usage().top(resource, limit, Window.parse(window), time, count);
          return session
              .output()
              .list(
                  top.stream().map(AdminJson::of).toList(),
                  () -> table(limit, top),
                  "Nobody used any.",
                  null);
        });
  }

  private static List<String> table(String limit, List<Usage> top) {
    ColumnTable table = ColumnTable.withNumbersIn(1).row("ENTITY", "TOKENS", "");
    for (Usage usage : top) {
      long milli = usage.milli(limit);
      table.row(usage.entityId(), Bars.tokens(milli), Bars.of(milli, top.get(0).milli(limit), BAR));
    }
    return table.lines();
  }
}
