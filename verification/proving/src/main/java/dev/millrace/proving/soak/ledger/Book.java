package dev.millrace.proving.soak.ledger;

/** The entries of all journals for one account. */
final class Book {
  private ChargeBounds charged = ChargeBounds.NOTHING;
  private long aheadMilli;
  private long grainMs;
  private final Admissions admissions = new Admissions();

  void add(ChargeBounds range) {
    charged = charged.plus(range);
  }

  /** Tokens that may have been charged ahead of a use that never came. */
  void addAhead(long milli) {
    aheadMilli = Math.addExact(aheadMilli, milli);
  }

  void writtenWithGrain(long ms) {
    grainMs = Math.max(grainMs, ms);
  }

  /** What the bucket may have counted. */
  ChargeBounds charged() {
    return charged.orMore(aheadMilli);
  }

  /** The coarsest grain of all who wrote it. */
  long grainMs() {
    return grainMs;
  }

  Admissions admissions() {
    return admissions;
  }
}
