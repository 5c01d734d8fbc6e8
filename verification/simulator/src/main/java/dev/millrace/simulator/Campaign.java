package dev.millrace.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Many histories one after another, on one thread. */
public final class Campaign {
  /** After so many failures there is nothing to learn from more. */
  public static final int MAX_FAILURES = 10;

  private final Coverage coverage = new Coverage();
  private final List<Report> failures = new ArrayList<>();
  private final long firstSeed;
  private long seeds;
  private long acquires;
  private long events;
  private double worstBurst;

  private Campaign(long firstSeed) {
    this.firstSeed = firstSeed;
  }

  /**
   * Plays {@code seeds} histories, or until {@code over}: of the kinds that were there first, from
   * {@code firstSeed} on, and between them of those that came later.
   *
   * @param progress told after every history
   */
  public static Campaign run(
      long firstSeed, long seeds, BooleanSupplier over, Consumer<Campaign> progress) {
    Campaign campaign = new Campaign(firstSeed);
    try (Carriers carriers = new Carriers()) {
      for (long i = 0;
          i < seeds && !over.getAsBoolean() && campaign.failures.size() < MAX_FAILURES;
          i++) {
        campaign.add(Simulation.run(Scenario.of(seed(firstSeed, i)), carriers, Trace.off()));
        progress.accept(campaign);
      }
    }
    return campaign;
  }

  /** Plays {@code seeds} histories. */
  public static Campaign run(long firstSeed, long seeds) {
    return run(firstSeed, seeds, () -> false, campaign -> {});
  }

  /**
   * The seed of a history of a campaign: each third one is of the kinds that came later, unless all
   * are.
   */
  static long seed(long firstSeed, long number) {
    if (firstSeed >= Scenario.LATER_SEEDS) {
      return firstSeed + number;
    }
    long third = number / 3;
    return number % 3 == 2 ? Scenario.LATER_SEEDS + firstSeed + third : firstSeed + number - third;
  }

  private void add(Report report) {
    seeds++;
    acquires += report.acquires();
    events += report.events();
    worstBurst = Math.max(worstBurst, report.worstBurst());
    coverage.add(report.coverage());
    if (!report.isGood()) {
      failures.add(report);
    }
  }

  /** The seed of the first history. */
  public long firstSeed() {
    return firstSeed;
  }

  /** How many histories were played. */
  public long seeds() {
    return seeds;
  }

  /** How many requests were answered. */
  public long acquires() {
    return acquires;
  }

  /** How many events there were. */
  public long events() {
    return events;
  }

  /** The most that was admitted, as a part of the bound. */
  public double worstBurst() {
    return worstBurst;
  }

  /** What was seen. */
  public Coverage coverage() {
    return coverage;
  }

  /** The histories in which a promise was broken. */
  public List<Report> failures() {
    return List.copyOf(failures);
  }
}
