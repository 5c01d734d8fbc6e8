package dev.millrace.dynamodb.internal.query;

/**
 * Which sort keys of a partition.
 *
 * @param kind how they are bounded
 * @param from the prefix, or the first; empty when the kind needs none
 * @param to the last; empty when the kind needs none
 */
record SortRange(Kind kind, String from, String to) {
  /** How sort keys are bounded. */
  enum Kind {
    ALL,
    PREFIX,
    FROM,
    TO,
    BETWEEN
  }

  static final SortRange ALL = new SortRange(Kind.ALL, "", "");

  static SortRange prefix(String prefix) {
    return new SortRange(Kind.PREFIX, prefix, "");
  }

  /** From and to, each empty for no bound. */
  static SortRange between(String from, String to) {
    if (from.isEmpty()) {
      return to.isEmpty() ? ALL : new SortRange(Kind.TO, "", to);
    }
    return new SortRange(to.isEmpty() ? Kind.FROM : Kind.BETWEEN, from, to);
  }

  /** Whether nothing can be in it; DynamoDB takes no such range. */
  boolean isEmpty() {
    return kind == Kind.BETWEEN && from.compareTo(to) > 0;
  }

  boolean contains(String sort) {
    return switch (kind) {
      case ALL -> true;
      case PREFIX -> sort.startsWith(from);
      case FROM -> sort.compareTo(from) >= 0;
      case TO -> sort.compareTo(to) <= 0;
      case BETWEEN -> sort.compareTo(from) >= 0 && sort.compareTo(to) <= 0;
    };
  }
}
