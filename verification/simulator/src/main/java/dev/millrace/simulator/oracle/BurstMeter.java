package dev.millrace.simulator.oracle;

/**
 * Measures how much of one limit of a bucket was admitted within any interval, by all shards
 * together, against P1, for one regime: a stretch of history in which neither the parameters of the
 * limit changed nor an operator gave tokens nor a wild timestamp was healed.
 *
 * <p><b>What is measured.</b> For every interval that ends now, the sum of all changes of the total
 * ({@code x}, refunds and settlements included) less what the rate gives in its length; of all
 * intervals the greatest. As the terms of later writes are the same for all intervals, one number
 * is enough: it flows off at the rate, each write adds its {@code x}, and where an interval may
 * begin, a new one begins if that is greater.
 *
 * <p><b>Where intervals begin.</b> With an acquire. P1 speaks of what was admitted, and a write
 * that admits has met a bucket that was claimed up to its writer's now, or at most Δ before, and a
 * balance that was at most the ceiling. A settlement meets anything: after an idle hour it takes
 * from the full bucket, and the hour is claimed afterwards. So an interval that began with it would
 * have its charge on top. Of a write that holds both, an interval begins with what surely was
 * acquired.
 *
 * <p><b>Why the bound holds.</b> Let s be the write that begins and t the one that ends, {@code rf}
 * the timestamp after a write, {@code tk} the balance. Nothing but credit enters, so
 *
 * <pre>
 *   Σx = (tk_s + x_s) − tk_t + C(rf_t) − C(rf_s)
 *      ≤ burst − tk_t + rate × (rf_t − rf_s) + 1 millitoken
 * </pre>
 *
 * All settlements in between are in the sum: what they charged, nobody else got, so they need no
 * allowance. A balance below zero at the end does: it was charged and not admitted. With {@code hi}
 * the farthest that a claim was ahead of true time, {@code rf_t ≤ t + hi}; with {@code lo} the
 * least by which a writer that admitted was ahead of true time when its write arrived (mostly
 * negative), {@code rf_s ≥ s + lo − Δ}. Hence
 *
 * <pre>
 *   Σx − rate × (t − s) ≤ burst + max(0, −tk_t) + rate × (Δ + hi − lo) + 1
 * </pre>
 *
 * and {@code hi − lo} is the skew. That a write was long under way counts as a slow clock, and
 * rightly: the bucket cannot tell. What was earned while it travelled is not claimed by it, is
 * claimed by the next one, and is admitted on top. The table only sees the part of Δ in which a
 * bucket may be consumed without a claim, four fifths; the rest is for tokens that are used later
 * than they are charged.
 *
 * <p><b>Shards.</b> For those the same is added up over all of them: each has its own s, the first
 * write of the interval that met it claimed and below its ceiling, and its own part of the ceiling,
 * of the rate and of the rounding. A split leaves what both hold together, and the timestamp; a
 * merge claims, so it is such a first write. What is settled in a shard before its own s counts for
 * nothing: of that only what surely was acquired is added.
 */
final class BurstMeter {
  /** No interval is that far below: it is forgotten. */
  private static final long EMPTY_MILLI = -(1L << 61);

  /** A writer's now is whole milliseconds, and it may send in the next one. */
  private static final long ROUNDING_MICROS = 2_000;

  private final Rate rate;
  private final long burstMilli;

  /** The greatest interval, whole millitokens and {@link Rate#parts} of one. */
  private long wholeMilli = EMPTY_MILLI;

  private long parts;
  private long atMicros;
  private long hiMicros;
  private long loMicros = Long.MAX_VALUE;

  /** Into how many shards the bucket was divided at most. */
  private int shards = 1;

  /**
   * A regime that begins.
   *
   * @param aheadMicros by how much the timestamp is ahead of true time
   */
  BurstMeter(Rate rate, long burstMilli, long atMicros, long aheadMicros) {
    this.rate = rate;
    this.burstMilli = burstMilli;
    this.atMicros = atMicros;
    this.hiMicros = aheadMicros;
  }

  /** Time passes. */
  void flowTo(long toMicros) {
    long micros = toMicros - atMicros;
    atMicros = toMicros;
    if (wholeMilli == EMPTY_MILLI || micros == 0) {
      return;
    }
    wholeMilli = Math.max(EMPTY_MILLI, wholeMilli - rate.flowMilli(micros));
    parts -= rate.flowRest(micros);
    if (parts < 0) {
      parts += rate.parts();
      wholeMilli--;
    }
    if (wholeMilli <= EMPTY_MILLI) {
      wholeMilli = EMPTY_MILLI;
      parts = 0;
    }
  }

  /** A claim moved the timestamp so far ahead of true time. */
  void claimed(long aheadMicros) {
    hiMicros = Math.max(hiMicros, aheadMicros);
  }

  /** There may be so many shards. */
  void divided(int level) {
    shards = Math.max(shards, level);
  }

  /** A shard was claimed by somebody who is so far ahead of true time, or behind. */
  void met(long aheadMicros) {
    loMicros = Math.min(loMicros, aheadMicros);
  }

  /** The total changed. */
  void add(long milli) {
    if (wholeMilli != EMPTY_MILLI) {
      wholeMilli += milli;
    }
  }

  /**
   * An acquire, already added, may begin an interval.
   *
   * @param milli what surely was acquired
   * @param aheadMicros by how much its writer was ahead of true time when it arrived
   */
  void begin(long milli, long aheadMicros) {
    met(aheadMicros);
    if (wholeMilli < milli) {
      wholeMilli = milli;
      parts = 0;
    }
  }

  /** What the greatest interval holds beyond its length, rounded down. */
  long milli() {
    return wholeMilli;
  }

  /** The most that it may hold when nobody is in debt. */
  long boundMilli(long windowMicros) {
    return burstMilli + rate.flowMilli(allowedMicros(windowMicros)) + shards;
  }

  /** How full it is beyond what shards owe, 1 being the bound. */
  double fullness(long windowMicros, long debtMilli) {
    return (wholeMilli - debtMilli)
        / (burstMilli + rate.milliPerMicro() * allowedMicros(windowMicros));
  }

  private long allowedMicros(long windowMicros) {
    return windowMicros + ROUNDING_MICROS + skewMicros();
  }

  long skewMicros() {
    return loMicros == Long.MAX_VALUE ? 0 : Math.max(0, hiMicros - loMicros);
  }

  boolean isEmpty() {
    return wholeMilli == EMPTY_MILLI;
  }
}
