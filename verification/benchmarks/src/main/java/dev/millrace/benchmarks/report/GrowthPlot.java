package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.load.Growth;
import java.util.List;
import java.util.function.ToLongFunction;

/** A plot of the shards of a bucket over the measured time, and of its admissions. */
final class GrowthPlot {
  private GrowthPlot() {}

  static String admitted(String name, Growth growth) {
    return plot("Requests admitted a second, " + name, growth, Growth.Second::admitted);
  }

  static String throttled(String name, Growth growth) {
    return plot("Writes throttled a second, " + name, growth, Growth.Second::throttled);
  }

  static String shards(String name, Growth growth) {
    return plot("Shards, " + name, growth, Growth.Second::shards);
  }

  private static String plot(String title, Growth growth, ToLongFunction<Growth.Second> value) {
    List<TimePlot.At> values =
        growth.seconds().stream()
            .map(second -> new TimePlot.At(second.second(), value.applyAsLong(second)))
            .toList();
    return TimePlot.of(title, values, growth.seconds().size());
  }
}
