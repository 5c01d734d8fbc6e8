package dev.millrace.regions.ledger;

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
public record Dealings(SortedMap<String, Row> gave, SortedMap<String, Row> got) {
  /** Nothing yet. */
  public static final Dealings NONE = new Dealings(new TreeMap<>(), new TreeMap<>());

  /** Keeps copies. */
  public Dealings {
    gave = Collections.unmodifiableSortedMap(new TreeMap<>(gave));
    got = Collections.unmodifiableSortedMap(new TreeMap<>(got));
  }

  /** The row of gifts to {@code region}. */
  public Row gave(String region) {
    return gave.getOrDefault(region, Row.ZERO);
  }

  /** The row of credits from {@code region}. */
  public Row got(String region) {
    return got.getOrDefault(region, Row.ZERO);
  }

  /** Whether there are no rows. */
  public boolean isEmpty() {
    return gave.isEmpty() && got.isEmpty();
  }

  Dealings withGave(String to, Row row) {
    return new Dealings(with(gave, to, row), got);
  }

  Dealings withGot(String from, Row row) {
    return new Dealings(gave, with(got, from, row));
  }

  /** The maximum of each row: commutative, associative, idempotent, and never less than either. */
  public Dealings max(Dealings other) {
    return covers(other)
        ? this
        : other.covers(this) ? other : new Dealings(max(gave, other.gave), max(got, other.got));
  }

  /** Whether no row is less than that of {@code other}. */
  public boolean covers(Dealings other) {
    return covers(gave, other.gave) && covers(got, other.got);
  }

  private static boolean covers(Map<String, Row> rows, Map<String, Row> others) {
    for (Map.Entry<String, Row> other : others.entrySet()) {
      if (!rows.getOrDefault(other.getKey(), Row.ZERO).covers(other.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static SortedMap<String, Row> max(SortedMap<String, Row> a, SortedMap<String, Row> b) {
    SortedMap<String, Row> both = new TreeMap<>(a);
    b.forEach((region, row) -> both.merge(region, row, Row::max));
    return both;
  }

  private static SortedMap<String, Row> with(SortedMap<String, Row> rows, String name, Row row) {
    SortedMap<String, Row> copy = new TreeMap<>(rows);
    copy.put(name, row);
    return copy;
  }
}
