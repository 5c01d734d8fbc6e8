package dev.millrace.client.support;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** A call on a thread of its own. */
public record Background<T>(Thread thread, CompletableFuture<T> result) {
  /** Begins {@code call}; when this returns, the call is done or its thread waits for something. */
  public static <T> Background<T> begin(Callable<T> call) {
    Background<T> begun = start(call);
    Await.until(() -> begun.result.isDone() || waits(begun.thread), "the caller answers or waits");
    return begun;
  }

  /** Begins {@code call}; a thread that reads from a socket does not count as one that waits. */
  public static <T> Background<T> start(Callable<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (Throwable thrown) { // it is the test's to look at
                result.completeExceptionally(thrown);
              }
            },
            "caller");
    thread.setDaemon(true);
    thread.start();
    return new Background<>(thread, result);
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }
}
