package dev.millrace.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class GrowthWatchTest {
  /** Every look finds so much more than the one before. */
  private static final StoreCost MORE = new StoreCost(0, 0, 10, 3, 0, 0, 0);

  @Test
  void growth_twoSeconds_tellsWhatCameInEach() throws InterruptedException {
    Course course = new Course(Duration.ZERO, Duration.ofMillis(2_500), RunProgress.NONE);
    Tallies tallies = new Tallies();
    AtomicInteger shards = new AtomicInteger();
    GrowthWatch watch = new GrowthWatch(course, tallies, growing(tallies), shards::incrementAndGet);

    Measurement unused = course.run(List.of(watch), tallies, () -> StoreCost.NONE);

    assertThat(watch.growth().seconds())
        .hasSizeBetween(1, 3)
        .startsWith(new Growth.Second(1, 1, 0, 10, 3, 1));
  }

  private static Supplier<StoreCost> growing(Tallies tallies) {
    AtomicInteger looks = new AtomicInteger();
    return () -> {
      StoreCost spent = StoreCost.NONE;
      for (int i = looks.getAndIncrement(); i > 0; i--) {
        spent = spent.plus(MORE);
      }
      tallies.own().answered(true);
      return spent;
    };
  }
}
