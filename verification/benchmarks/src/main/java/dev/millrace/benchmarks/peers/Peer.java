package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.load.Ask;
import java.util.List;

/** A rate limiter of somebody's, set up as its own documentation recommends. */
interface Peer extends AutoCloseable {
  /** Limits are far above any load: it is the limiter that is measured, not the limit. */
  long PER_SECOND = 1_000_000_000;

  /** The name in the table. */
  String name();

  /** The scope of the counters, and their fate when the process ends. */
  Scope scope();

  /** Takes one token of a key, any of {@code keys} with the same chance. For many threads. */
  Ask ask(List<String> keys);

  @Override
  default void close() {}

  /** The scope of the counters, and their fate when the process ends. */
  enum Scope {
    /** Counters in the memory of one process. */
    LOCAL("one process, in memory"),
    /** Counters in memory, made to be shared. */
    REDIS("shared, in Redis, in memory"),
    /** Counters in a database. */
    DYNAMODB("shared, in DynamoDB Local");

    private final String words;

    Scope(String words) {
      this.words = words;
    }

    /** Whether a request is too short to look at the clock for each. */
    boolean isLocal() {
      return this == LOCAL;
    }

    @Override
    public String toString() {
      return words;
    }
  }
}
