package dev.millrace.benchmarks.regions;

/** Regions that share a quota in some way. */
interface Fleet {
  /** Whether a request in {@code region} is admitted. */
  boolean ask(int region, long nowMs);

  /** It is the turn of {@code region} to exchange. */
  void exchange(int region, long nowMs);
}
