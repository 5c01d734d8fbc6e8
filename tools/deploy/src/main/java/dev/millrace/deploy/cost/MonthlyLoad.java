package dev.millrace.deploy.cost;

import java.util.Map;
import java.util.Set;

/**
 * The traffic of a month.
 *
 * @param numbers those that are not the default; with requests and entities
 * @param transactional whether all buckets of a request are in one transaction
 * @param aggregator counts usage
 */
public record MonthlyLoad(
    Map<LoadNumber, Double> numbers, boolean transactional, AggregatorKind aggregator) {
  /** The kinds of aggregators. */
  public enum AggregatorKind {
    /** A function. */
    LAMBDA,
    /** Workers, whose machines are not in the price. */
    WORKER,
    /** None: usage is not counted. */
    NONE
  }

  /** Checks the ranges. */
  public MonthlyLoad {
    numbers = Map.copyOf(numbers);
    numbers.forEach(LoadNumber::check);
    if (!numbers.keySet().containsAll(Set.of(LoadNumber.REQUESTS, LoadNumber.ENTITIES))) {
      throw new IllegalArgumentException("a load has requests and entities: " + numbers);
    }
  }

  double get(LoadNumber number) {
    Double value = numbers.get(number);
    return value == null ? number.defaultValue().orElseGet(() -> get(LoadNumber.ENTITIES)) : value;
  }
}
