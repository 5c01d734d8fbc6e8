package dev.millrace.benchmarks.regions;

import dev.millrace.Limit;
import dev.millrace.benchmarks.meter.WorstWindow;
import dev.millrace.regions.AllocationPolicy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Four regions share a limit of 6,000 a minute, in simulated time. Each one exchanges every 10 s,
 * one after the other. Requests come by chance, the same for every way to share.
 */
public final class RegionsRun {
  static final int REGIONS = 4;

  /** What is asked for, in parts of what the limit allows. */
  private static final double[] LOADS = {0.8, 1.2, 2};

  private static final Limit LIMIT = Limit.perMinute("rpm", 6_000);
  private static final double PER_SECOND = 100;
  private static final long BIN_MS = 10;
  private static final int MINUTES = 24;
  private static final int BINS = (int) (MINUTES * 60_000 / BIN_MS);
  private static final long START_MS = 1_800_000_000_000L;
  private static final AllocationPolicy POLICY = AllocationPolicy.DEFAULT;

  private RegionsRun() {}

  /**
   * The result of one way to share.
   *
   * @param utilisation what was admitted, by what one central bucket would have admitted: of all
   *     loads the lowest
   * @param byLoad the same for each load
   * @param maxOverAdmission what was admitted in the worst window, by what the limit allows in it
   */
  public record Figures(
      double utilisation, Map<Double, Double> byLoad, double maxOverAdmission, long gifts) {}

  private record Course(long admitted, double maxOverAdmission) {}

  /** The ways to share, for one kind of traffic. */
  public record Comparison(Figures rights, Figures split, Figures counts) {}

  /** Measures all ways for all kinds of traffic, by the name of the traffic. */
  public static Map<String, Comparison> run() {
    Map<String, Comparison> all = new LinkedHashMap<>();
    for (TrafficPattern traffic : TrafficPattern.values()) {
      all.put(traffic.name().toLowerCase(java.util.Locale.ROOT), compare(traffic));
    }
    return all;
  }

  private static Comparison compare(TrafficPattern traffic) {
    Map<Double, Double> rights = new LinkedHashMap<>();
    Map<Double, Double> split = new LinkedHashMap<>();
    Map<Double, Double> counts = new LinkedHashMap<>();
    double[] over = new double[3];
    long gifts = 0;
    for (double load : LOADS) {
      Course central = course(traffic, load, new StaticSplit(LIMIT, 1, START_MS));
      Rights ours = new Rights(LIMIT, REGIONS, POLICY, START_MS);
      Course[] courses = {
        course(traffic, load, ours),
        course(traffic, load, new StaticSplit(LIMIT, REGIONS, START_MS)),
        course(traffic, load, new CountExchange(LIMIT, REGIONS, START_MS))
      };
      gifts += ours.gifts();
      rights.put(load, (double) courses[0].admitted() / central.admitted());
      split.put(load, (double) courses[1].admitted() / central.admitted());
      counts.put(load, (double) courses[2].admitted() / central.admitted());
      for (int i = 0; i < over.length; i++) {
        over[i] = Math.max(over[i], courses[i].maxOverAdmission());
      }
    }
    return new Comparison(
        new Figures(least(rights), rights, over[0], gifts),
        new Figures(least(split), split, over[1], 0),
        new Figures(least(counts), counts, over[2], 0));
  }

  private static double least(Map<Double, Double> byLoad) {
    return byLoad.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  private static Course course(TrafficPattern traffic, double load, Fleet fleet) {
    SplittableRandom random = new SplittableRandom(42);
    long[] admitted = new long[BINS];
    long sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
      long sinceMs = bin * BIN_MS;
      for (int region = 0; region < REGIONS; region++) {
        double expected = traffic.part(region, sinceMs) * load * PER_SECOND * BIN_MS / 1_000;
        for (int i = poisson(random, expected); i > 0; i--) {
          admitted[bin] += fleet.ask(region, START_MS + sinceMs) ? 1 : 0;
        }
        // One after the other within a window.
        long phaseMs = POLICY.windowMs() * (region + 1) / REGIONS;
        if ((sinceMs + phaseMs) % POLICY.windowMs() == 0) {
          fleet.exchange(region, START_MS + sinceMs);
        }
      }
      sum += admitted[bin];
    }
    double burst = (double) LIMIT.burstMilli() / Limit.MILLI;
    return new Course(sum, WorstWindow.ratio(admitted, burst, PER_SECOND * BIN_MS / 1_000));
  }

  /** Knuth: how many arrive when {@code expected} do on average, which is few. */
  private static int poisson(SplittableRandom random, double expected) {
    double end = Math.exp(-expected);
    double product = random.nextDouble();
    int count = 0;
    while (product > end) { // ends: the product shrinks
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}
