package dev.millrace.regions.internal.ledger;

import dev.millrace.regions.EvictionSeal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The text form of a ledger, which is stored beside the limits:
 *
 * <pre>
 *   eu:500000,us:500000|us:120000:3500|ap:10:0|ap&gt;eu,us|ap
 *   founding           |gave          |got    |seals  |evicted
 * </pre>
 *
 * <p>Names of regions contain none of the separators.
 */
public final class LedgerText {
  private static final int FIELDS = 5;

  private LedgerText() {}

  public static String of(LimitLedger ledger) {
    StringJoiner founding = new StringJoiner(",");
    ledger.founding().basePpm().forEach((region, ppm) -> founding.add(region + ":" + ppm));
    return String.join(
        "|",
        founding.toString(),
        rows(ledger.dealings().gave()),
        rows(ledger.dealings().got()),
        seals(ledger.seals()),
        String.join(",", ledger.evicted()));
  }

  /**
   * The ledger of {@code region}.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static LimitLedger parse(String region, String text) {
    String[] fields = text.split("\\|", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("a ledger of " + fields.length + " fields");
    }
    SortedMap<String, Long> bases = new TreeMap<>();
    for (String base : parts(fields[0], ",")) {
      String[] pair = split(base, 2);
      bases.put(pair[0], Long.parseLong(pair[1]));
    }
    return new LimitLedger(
        region,
        new InitialShares(bases),
        new TransferRows(rows(fields[1]), rows(fields[2])),
        seals(fields[3]),
        parts(fields[4], ","));
  }

  private static String rows(Map<String, TransferRow> rows) {
    StringJoiner texts = new StringJoiner(",");
    rows.forEach((region, row) -> texts.add(region + ":" + row.ppm() + ":" + row.milli()));
    return texts.toString();
  }

  private static SortedMap<String, TransferRow> rows(String text) {
    SortedMap<String, TransferRow> rows = new TreeMap<>();
    for (String row : parts(text, ",")) {
      String[] three = split(row, 3);
      rows.put(three[0], new TransferRow(Long.parseLong(three[1]), Long.parseLong(three[2])));
    }
    return rows;
  }

  public static String seals(List<EvictionSeal> seals) {
    StringJoiner texts = new StringJoiner(";");
    for (EvictionSeal seal : seals) {
      texts.add(String.join(",", seal.dead()) + ">" + String.join(",", seal.survivors()));
    }
    return texts.toString();
  }

  public static List<EvictionSeal> seals(String text) {
    List<EvictionSeal> seals = new ArrayList<>();
    for (String seal : parts(text, ";")) {
      int at = seal.indexOf('>');
      if (at < 0) {
        throw new IllegalArgumentException("a seal without survivors: " + seal);
      }
      seals.add(
          EvictionSeal.of(parts(seal.substring(0, at), ","), parts(seal.substring(at + 1), ",")));
    }
    return seals;
  }

  public static List<String> parts(String text, String separator) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(separator, -1));
  }

  private static String[] split(String text, int count) {
    String[] parts = text.split(":", -1);
    if (parts.length != count) {
      throw new IllegalArgumentException("'" + text + "' must have " + count + " parts");
    }
    return parts;
  }
}
