package dev.millrace.client;

/** What blocking and asynchronous leases have in common: all that needs no round trip. */
public interface LeaseView {
  /** Who holds it. */
  String entityId();

  /** What it is for. */
  String resource();

  /** What has become of it. */
  LeaseState state();

  /**
   * Whether it was granted without a charge because the store could not be reached. A degraded
   * lease accepts everything and writes nothing.
   */
  boolean isDegraded();

  /** Whole tokens of {@code limit} that it stands for, adjustments included. */
  long consumed(String limit);

  /**
   * Corrects what was consumed of {@code limit} by {@code delta} tokens, up or down. Never refused:
   * the balance may go below zero, and credit pays the debt first. Written when the lease ends.
   *
   * @throws IllegalArgumentException if the lease would stand for less than nothing
   */
  void adjust(String limit, long delta);

  /** Gives back {@code amount} tokens of {@code limit}, at most what the lease stands for. */
  void release(String limit, long amount);
}
