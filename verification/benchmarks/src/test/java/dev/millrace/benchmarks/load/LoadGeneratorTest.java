package dev.millrace.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.LimiterUnavailableException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LoadGeneratorTest {
  private static final Duration LENGTH = Duration.ofMillis(100);

  private final Course course = new Course(Duration.ZERO, LENGTH, RunProgress.NONE);
  private final Tallies tallies = new Tallies();
  private final AtomicLong asked = new AtomicLong();

  @Test
  void blocking_answers_areCountedAndTimed() throws InterruptedException {
    Ask everyThird = () -> asked.incrementAndGet() % 3 == 0;
    Measurement measured =
        run(new BlockingCallers(course, tallies, List.of(everyThird, everyThird)));
    assertThat(measured.counts().admitted()).isPositive();
    assertThat(measured.counts().refused()).isGreaterThan(measured.counts().admitted());
    assertThat(measured.latencies().getTotalCount()).isPositive();
    assertThat(tallies.counts().requests()).isEqualTo(asked.get());
  }

  @Test
  void blocking_storeAway_isCountedByTheSortOfFailure() throws InterruptedException {
    Ask away =
        () -> {
          throw new LimiterUnavailableException("away", Map.of("failure", "THROTTLED"), null);
        };
    Measurement measured = run(new BlockingCallers(course, tallies, List.of(away)));
    assertThat(measured.counts().failed()).isPositive();
    assertThat(measured.failures()).containsOnlyKeys("THROTTLED");
  }

  @Test
  void blocking_bug_isNotSwallowed() {
    Ask broken =
        () -> {
          throw new IllegalArgumentException("a bug");
        };
    assertThatIllegalStateException()
        .isThrownBy(() -> run(new BlockingCallers(course, tallies, List.of(broken))))
        .withMessageContaining("a bug");
  }

  @Test
  void async_answersAtOnce_doNotGrowTheStack() throws InterruptedException {
    AsyncAsk atOnce =
        () -> {
          asked.incrementAndGet();
          return CompletableFuture.completedFuture(true);
        };
    Measurement measured = run(new AsyncCallers(course, tallies, Collections.nCopies(8, atOnce)));
    assertThat(measured.counts().admitted()).isGreaterThan(1_000);
    assertThat(tallies.counts().requests()).isEqualTo(asked.get());
  }

  @Test
  void async_answersOfOtherThreads_areCounted() throws InterruptedException {
    AsyncAsk later =
        () -> {
          asked.incrementAndGet();
          return CompletableFuture.supplyAsync(() -> true);
        };
    Measurement measured = run(new AsyncCallers(course, tallies, Collections.nCopies(8, later)));
    assertThat(measured.counts().admitted()).isPositive();
    assertThat(tallies.counts().requests()).isEqualTo(asked.get());
  }

  @Test
  void async_bug_isNotSwallowed() {
    AsyncAsk broken = () -> CompletableFuture.failedFuture(new IllegalArgumentException("a bug"));
    assertThatIllegalStateException()
        .isThrownBy(() -> run(new AsyncCallers(course, tallies, List.of(broken))))
        .withMessageContaining("a bug");
  }

  @Test
  void openLoop_slowAnswers_doNotSlowTheRequests() throws InterruptedException {
    AsyncAsk slow =
        () -> {
          asked.incrementAndGet();
          return new CompletableFuture<Boolean>()
              .completeOnTimeout(true, 80, java.util.concurrent.TimeUnit.MILLISECONDS);
        };
    run(new OpenLoop(course, tallies, List.of(slow, slow), /* perSecond= */ 500));
    // One after the other there would be two.
    assertThat(asked.get()).isGreaterThan(20);
    assertThat(tallies.counts().requests()).isEqualTo(asked.get());
  }

  @Test
  void alternation_bothSides_getTheirTurns() throws InterruptedException {
    Course longer = new Course(Duration.ZERO, Duration.ofMillis(400), RunProgress.NONE);
    AtomicLong others = new AtomicLong();
    Ask ours = () -> asked.incrementAndGet() > 0;
    Ask theirs = () -> others.incrementAndGet() > 0;
    Alternation callers =
        new Alternation(
            longer, tallies, List.of(ours), List.of(theirs), Alternation.SLICE, /* bunch= */ 4);
    longer.run(List.of(callers), tallies, () -> StoreCost.NONE);
    assertThat(callers.first().perSecond()).isPositive();
    assertThat(callers.second().perSecond()).isPositive();
    assertThat(callers.second().latencies().getTotalCount()).isPositive();
    assertThat(tallies.counts().requests()).isEqualTo(asked.get());
  }

  private Measurement run(LoadGenerator callers) throws InterruptedException {
    return course.run(List.of(callers), tallies, () -> StoreCost.NONE);
  }
}
