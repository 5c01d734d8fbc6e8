package dev.millrace.tests.linearisability;

import dev.millrace.client.support.Background;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/** Callers on threads of their own that begin at the same moment. */
final class Together {
  /** Longest wait for all of them; a busy machine is not the subject. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private Together() {}

  /** Runs {@code caller} with the numbers from 0; one that fails fails the test. */
  static void run(int callers, IntConsumer caller) {
    CyclicBarrier begin = new CyclicBarrier(callers);
    List<Background<Integer>> all = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      int number = i;
      all.add(
          Background.start(
              () -> {
                begin.await();
                caller.accept(number);
                return number;
              }));
    }
    CompletableFuture<?>[] results =
        all.stream().map(Background::result).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(results).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the callers did not come to their end within " + PATIENCE, e);
    }
  }
}
