package dev.millrace.client.support;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Fault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Calls that are made at the same time: each waits until all of its round have arrived. Whoever
 * makes them one after the other waits in vain, and the test fails.
 */
public final class Rounds implements Fault {
  private static final long DEADLINE_SECONDS = 10;

  private final int[] sizes;
  private final List<StoreCall> calls = new ArrayList<>();
  private final List<CompletableFuture<Void>> complete = new ArrayList<>();

  private Rounds(int[] sizes) {
    this.sizes = sizes;
    for (int i = 0; i < sizes.length; i++) {
      complete.add(new CompletableFuture<>());
    }
  }

  /** So many calls in the first round, so many in the second, and none after that. */
  public static Rounds of(int... sizes) {
    return new Rounds(sizes.clone());
  }

  @Override
  public CompletionStage<StoreReply> around(
      StoreCall call, Supplier<CompletionStage<StoreReply>> proceed) {
    CompletableFuture<Void> round = arrive(call);
    return round
        .copy()
        .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
        .thenCompose(met -> proceed.get());
  }

  private synchronized CompletableFuture<Void> arrive(StoreCall call) {
    calls.add(call);
    int before = 0;
    for (int round = 0; round < sizes.length; round++) {
      if (calls.size() <= before + sizes[round]) {
        if (calls.size() == before + sizes[round]) {
          complete.get(round).complete(null);
        }
        return complete.get(round);
      }
      before += sizes[round];
    }
    throw new AssertionError(
        "a call more than the rounds " + Arrays.toString(sizes) + " have: " + call);
  }

  /** The calls of a round, from 0, in the order of their arrival. */
  public synchronized List<StoreCall> round(int index) {
    int from = Arrays.stream(sizes, 0, index).sum();
    return List.copyOf(calls.subList(from, from + sizes[index]));
  }

  /** How many calls were made. */
  public synchronized int size() {
    return calls.size();
  }
}
