package dev.millrace.regions.internal.ledger;

/**
 * The running total of everything that one region ever gave to another one of a limit: share, and
 * the accompanying tokens. A row has one writer and only grows, so of two copies the greater one is
 * the later one, and it does not matter how often or in which order they arrive.
 *
 * @param ppm of the limit
 * @param milli millitokens
 */
public record TransferRow(long ppm, long milli) {
  public static final TransferRow ZERO = new TransferRow(0, 0);

  /** Refuses negative numbers. */
  public TransferRow {
    if (ppm < 0 || milli < 0) {
      throw new IllegalArgumentException("row of " + ppm + " ppm and " + milli + " is negative");
    }
  }

  /** This and {@code other} together; more than 64 bits is an error. */
  public TransferRow plus(TransferRow other) {
    return new TransferRow(Math.addExact(ppm, other.ppm), Math.addExact(milli, other.milli));
  }

  /** The difference to {@code earlier}, which this row must cover. */
  public TransferRow minus(TransferRow earlier) {
    return new TransferRow(ppm - earlier.ppm, milli - earlier.milli);
  }

  /** Whether neither number is less than that of {@code other}. */
  public boolean covers(TransferRow other) {
    return ppm >= other.ppm && milli >= other.milli;
  }

  public TransferRow max(TransferRow other) {
    return covers(other)
        ? this
        : new TransferRow(Math.max(ppm, other.ppm), Math.max(milli, other.milli));
  }
}
