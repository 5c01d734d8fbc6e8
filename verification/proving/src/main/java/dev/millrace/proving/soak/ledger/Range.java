package dev.millrace.proving.soak.ledger;

/**
 * The least and the most that may have been charged. The two are equal when it is known.
 *
 * @param leastMilli all that surely was charged, less all that may have been given back
 * @param mostMilli all that may have been charged, less all that surely was given back
 */
record Range(long leastMilli, long mostMilli) {
  static final Range NOTHING = new Range(0, 0);

  /** Checks the order. */
  Range {
    if (leastMilli > mostMilli) {
      throw new IllegalArgumentException(leastMilli + " is more than " + mostMilli);
    }
  }

  static Range exactly(long milli) {
    return new Range(milli, milli);
  }

  /** Made once or not at all. */
  static Range perhaps(long milli) {
    return new Range(Math.min(0, milli), Math.max(0, milli));
  }

  Range plus(Range other) {
    return new Range(
        Math.addExact(leastMilli, other.leastMilli), Math.addExact(mostMilli, other.mostMilli));
  }

  /** The same, and perhaps so much more. */
  Range orMore(long milli) {
    return new Range(leastMilli, Math.addExact(mostMilli, milli));
  }

  /** The same, but not below zero. */
  Range notNegative() {
    return new Range(Math.max(0, leastMilli), Math.max(0, mostMilli));
  }

  boolean contains(long milli) {
    return leastMilli <= milli && milli <= mostMilli;
  }

  /** How much is not known. */
  long widthMilli() {
    return mostMilli - leastMilli;
  }
}
