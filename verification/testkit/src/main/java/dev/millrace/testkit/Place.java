package dev.millrace.testkit;

import java.util.Comparator;

/**
 * The key of an item, in the table or in one of its indexes. Things of one partition are next to
 * each other, in the order of their sort keys.
 */
record Place(String partition, String sort) implements Comparable<Place> {
  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::partition).thenComparing(Place::sort);

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
