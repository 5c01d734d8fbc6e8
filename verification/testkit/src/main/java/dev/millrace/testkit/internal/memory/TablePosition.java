package dev.millrace.testkit.internal.memory;

import java.util.Comparator;

/**
 * A position in the table or in one of its indexes. Things of one partition are next to each other,
 * in the order of their sort keys.
 */
public record TablePosition(String partition, String sort) implements Comparable<TablePosition> {
  private static final Comparator<TablePosition> ORDER =
      Comparator.comparing(TablePosition::partition).thenComparing(TablePosition::sort);

  @Override
  public int compareTo(TablePosition other) {
    return ORDER.compare(this, other);
  }
}
