package dev.millrace.benchmarks.load;

import java.util.concurrent.CompletionStage;

/** One request whose caller does not wait. */
@FunctionalInterface
public interface AsyncAsk {
  /** See {@link Ask#ask()}. */
  CompletionStage<Boolean> ask();
}
