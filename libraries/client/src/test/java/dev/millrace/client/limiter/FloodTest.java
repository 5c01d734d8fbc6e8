package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Callers that never wait for an answer before they ask again. */
class FloodTest {
  @Test
  void tryAcquire_callersThatDoNotWait_areAllAnswered() {
    Bench bench = new Bench();
    int threads = 4;
    int each = 10_000;
    AcquireRequest request =
        AcquireRequest.of("key-42", "gpt-4")
            .limits(Limit.perMinute("rpm", 1_000_000))
            .consume("rpm", 1);
    AtomicLong admitted = new AtomicLong();
    AtomicLong answered = new AtomicLong();
    AtomicLong failed = new AtomicLong();
    try (RateLimiter limiter =
        RateLimiter.createAsync(bench.memory, bench.options().maxQueued(1_000_000).build())) {
      List<Background<Integer>> callers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        callers.add(
            Background.begin(
                () -> {
                  for (int j = 0; j < each; j++) {
                    CompletableFuture<?> unused =
                        limiter
                            .tryAcquireAsync(request)
                            .whenComplete(
                                (acquisition, failure) -> {
                                  answered.incrementAndGet();
                                  if (failure != null) {
                                    failed.incrementAndGet();
                                  } else if (acquisition instanceof Acquisition.Granted) {
                                    admitted.incrementAndGet();
                                  }
                                })
                            .toCompletableFuture();
                  }
                  return 0;
                }));
      }
      callers.forEach(caller -> Await.result(caller.result()));
      Await.until(() -> answered.get() == (long) threads * each, "everybody is answered");

      assertThat(failed).hasValue(0);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(admitted.get() * 1_000);
      assertThat(admitted).hasValue((long) threads * each);
    }
  }
}
