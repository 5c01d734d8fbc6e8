package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.load.Ask;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Predicate;

/** One limiter for each key, made before the run, one of them asked by chance. */
final class KeyedLimiters {
  private KeyedLimiters() {}

  static <L> Ask of(List<String> keys, Function<String, L> limiterOf, Predicate<L> take) {
    List<L> limiters = keys.stream().map(limiterOf).toList();
    if (limiters.size() == 1) {
      L only = limiters.get(0);
      return () -> take.test(only);
    }
    return () -> take.test(limiters.get(ThreadLocalRandom.current().nextInt(limiters.size())));
  }
}
