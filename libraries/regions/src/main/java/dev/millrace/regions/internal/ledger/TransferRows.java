package dev.millrace.regions.internal.ledger;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All rows of one region about one limit, as it publishes them.
 *
 * @param gave everything it ever gave, by receiver; it is the only writer of these rows
 * @param got what it has credited to itself of the rows of others, by donor
 */
public record TransferRows(
    SortedMap<String, TransferRow> gave, SortedMap<String, TransferRow> got) {
  public static final TransferRows NONE = new TransferRows(new TreeMap<>(), new TreeMap<>());

  public TransferRows {
    gave = Collections.unmodifiableSortedMap(new TreeMap<>(gave));
    got = Collections.unmodifiableSortedMap(new TreeMap<>(got));
  }

  /** The row of gifts to {@code region}. */
  public TransferRow gave(String region) {
    return gave.getOrDefault(region, TransferRow.ZERO);
  }

  /** The row of credits from {@code region}. */
  public TransferRow got(String region) {
    return got.getOrDefault(region, TransferRow.ZERO);
  }

  /** Whether there are no rows. */
  public boolean isEmpty() {
    return gave.isEmpty() && got.isEmpty();
  }

  TransferRows withGave(String to, TransferRow row) {
    return new TransferRows(with(gave, to, row), got);
  }

  TransferRows withGot(String from, TransferRow row) {
    return new TransferRows(gave, with(got, from, row));
  }

  /** The maximum of each row: commutative, associative, idempotent, and never less than either. */
  public TransferRows max(TransferRows other) {
    return covers(other)
        ? this
        : other.covers(this) ? other : new TransferRows(max(gave, other.gave), max(got, other.got));
  }

  /** Whether no row is less than that of {@code other}. */
  public boolean covers(TransferRows other) {
    return covers(gave, other.gave) && covers(got, other.got);
  }

  private static boolean covers(Map<String, TransferRow> rows, Map<String, TransferRow> others) {
    for (Map.Entry<String, TransferRow> other : others.entrySet()) {
      if (!rows.getOrDefault(other.getKey(), TransferRow.ZERO).covers(other.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static SortedMap<String, TransferRow> max(
      SortedMap<String, TransferRow> a, SortedMap<String, TransferRow> b) {
    SortedMap<String, TransferRow> both = new TreeMap<>(a);
    b.forEach((region, row) -> both.merge(region, row, TransferRow::max));
    return both;
  }

  private static SortedMap<String, TransferRow> with(
      SortedMap<String, TransferRow> rows, String name, TransferRow row) {
    SortedMap<String, TransferRow> copy = new TreeMap<>(rows);
    copy.put(name, row);
    return copy;
  }
}
