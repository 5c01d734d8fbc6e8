package dev.millrace.proving.soak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.Limit;
import dev.millrace.proving.soak.journal.OperationOutcome;
import dev.millrace.proving.soak.ledger.AccountRow;
import dev.millrace.proving.soak.ledger.LedgerMismatch;
import dev.millrace.proving.soak.ledger.OperationCounts;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a soak, as text or as JSON. */
final class SoakReport {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> COLUMNS =
      List.of("account", "counted", "surely charged", "not known", "balance", "clipped", "P1 room");

  private SoakReport() {}

  static void print(PrintWriter out, SoakResult result, boolean json, boolean kept)
      throws IOException {
    if (json) {
      out.println(json(result, kept));
      return;
    }
    figures(result).forEach((name, value) -> out.printf(Locale.ROOT, "%-28s %s%n", name, value));
    out.println();
    table(result.rows()).forEach(out::println);
    out.println();
    for (LedgerMismatch finding : result.findings()) {
      out.println(finding);
      for (String line : Excerpt.of(finding, Soak.journals(result.settings().directory()))) {
        out.println("    " + line);
      }
    }
    out.println(verdict(result));
    if (kept) {
      out.println("kept: " + result.settings().directory());
    }
  }

  static String verdict(SoakResult result) {
    if (!result.isJudged()) {
      return "NOT JUDGED: the database lost %d writes that it had acknowledged"
          .formatted(result.lostWrites());
    }
    return result.isBalanced()
        ? "BALANCED: every charge is accounted for"
        : "BROKEN: %d findings".formatted(result.findings().size());
  }

  private static Map<String, Object> figures(SoakResult result) {
    OperationCounts counts = result.counts();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("seconds", result.elapsed().toSeconds());
    figures.put("seed", result.settings().seed());
    figures.put("processes", result.settings().processes());
    figures.put("journals", result.journals());
    figures.put("killedWorkers", result.kills().workers());
    figures.put("killedDatabases", result.kills().databases());
    figures.put("frozenDatabases", result.kills().freezes());
    figures.put("cutAnswers", result.cuts());
    figures.put("acquires", counts.acquires());
    figures.put("admitted", counts.of(OperationOutcome.GRANTED));
    figures.put("refused", counts.of(OperationOutcome.REFUSED));
    figures.put("admittedWithoutStore", counts.of(OperationOutcome.DEGRADED));
    figures.put("unavailableNotCharged", counts.of(OperationOutcome.UNCHARGED));
    figures.put("unavailableMayBeCharged", counts.of(OperationOutcome.UNSURE));
    figures.put("settlements", counts.settlements());
    figures.put("settlementsFailed", counts.of(OperationOutcome.UNSETTLED));
    figures.put("cutShortByAKill", counts.unanswered());
    figures.put("surelyChargedTokens", Limit.tokens(result.leastMilli()));
    figures.put("notKnownTokens", Limit.tokens(result.unknownMilli()));
    figures.put("databaseLostWrites", result.lostWrites());
    return figures;
  }

  private static List<String> table(List<AccountRow> rows) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(COLUMNS);
    for (AccountRow row : rows) {
      cells.add(
          List.of(
              row.account().toString(),
              Limit.tokens(row.countedMilli()),
              Limit.tokens(row.leastMilli()),
              Limit.tokens(row.mostMilli() - row.leastMilli()),
              Limit.tokens(row.balanceMilli()),
              Limit.tokens(row.clippedMilli()),
              Limit.tokens(row.roomMilli())));
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : cells) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = cells.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        String padding = " ".repeat(width - row.get(i).length());
        line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static String json(SoakResult result, boolean kept) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("command", "soak");
    all.put("judged", result.isJudged());
    all.put("balanced", result.isBalanced());
    all.putAll(figures(result));
    all.put("kept", kept ? result.settings().directory().toString() : null);
    all.put("findings", result.findings().stream().map(LedgerMismatch::toString).toList());
    all.put("accounts", result.rows().stream().map(SoakReport::account).toList());
    try {
      return JSON.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no JSON for " + all, e);
    }
  }

  private static Map<String, Object> account(AccountRow row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("account", row.account().toString());
    fields.put("countedMilli", row.countedMilli());
    fields.put("leastMilli", row.leastMilli());
    fields.put("mostMilli", row.mostMilli());
    fields.put("balanceMilli", row.balanceMilli());
    fields.put("clippedMilli", row.clippedMilli());
    fields.put("roomMilli", row.roomMilli());
    return fields;
  }
}
