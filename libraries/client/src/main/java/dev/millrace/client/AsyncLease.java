package dev.millrace.client;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/** {@link Lease}, without blocking. */
public interface AsyncLease extends LeaseView {
  /** See {@link Lease#consume(String, long)}. */
  default CompletionStage<Void> consume(String limit, long amount) {
    return consume(Map.of(limit, amount));
  }

  /** See {@link Lease#consume(Map)}. */
  CompletionStage<Void> consume(Map<String, Long> tokens);

  /** See {@link Lease#close()}. */
  CompletionStage<Void> close();

  /** See {@link Lease#cancel()}. */
  CompletionStage<Void> cancel();
}
