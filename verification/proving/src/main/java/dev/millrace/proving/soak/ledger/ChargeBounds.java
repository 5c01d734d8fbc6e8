package dev.millrace.proving.soak.ledger;

/**
 * The least and the most that may have been charged. The two are equal when it is known.
 *
 * @param leastMilli all that surely was charged, less all that may have been given back
 * @param mostMilli all that may have been charged, less all that surely was given back
 */
record ChargeBounds(long leastMilli, long mostMilli) {
  static final ChargeBounds NOTHING = new ChargeBounds(0, 0);

  /** Checks the order. */
  ChargeBounds {
    if (leastMilli > mostMilli) {
      throw new IllegalArgumentException(leastMilli + " is more than " + mostMilli);
    }
  }

  static ChargeBounds exactly(long milli) {
    return new ChargeBounds(milli, milli);
  }

  /** Made once or not at all. */
  static ChargeBounds perhaps(long milli) {
    return new ChargeBounds(Math.min(0, milli), Math.max(0, milli));
  }

  ChargeBounds plus(ChargeBounds other) {
    return new ChargeBounds(
        Math.addExact(leastMilli, other.leastMilli), Math.addExact(mostMilli, other.mostMilli));
  }

  /** The same, and perhaps so much more. */
  ChargeBounds orMore(long milli) {
    return new ChargeBounds(leastMilli, Math.addExact(mostMilli, milli));
  }

  /** The same, but not below zero. */
  ChargeBounds notNegative() {
    return new ChargeBounds(Math.max(0, leastMilli), Math.max(0, mostMilli));
  }

  boolean contains(long milli) {
    return leastMilli <= milli && milli <= mostMilli;
  }

  /** How much is not known. */
  long widthMilli() {
    return mostMilli - leastMilli;
  }
}
