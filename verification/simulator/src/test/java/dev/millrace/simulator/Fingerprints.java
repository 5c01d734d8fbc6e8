package dev.millrace.simulator;

import java.util.ArrayList;
import java.util.List;

/** The fingerprints of the first histories, also printed by a process of its own. */
final class Fingerprints {
  private Fingerprints() {}

  static List<String> of(long seeds) {
    List<String> prints = new ArrayList<>();
    try (Carriers carriers = new Carriers()) {
      for (long i = 0; i < seeds; i++) {
        long seed = Campaign.seed(/* firstSeed= */ 0, i);
        Report report = Simulation.run(Scenario.of(seed), carriers, Trace.off());
        prints.add(seed + " " + report.fingerprint());
      }
    }
    return prints;
  }

  public static void main(String[] arguments) {
    of(Long.parseLong(arguments[0])).forEach(System.out::println);
  }
}
