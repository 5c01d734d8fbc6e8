package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.store.StoreCall;
import java.util.LinkedHashMap;
import java.util.Map;

/** The transactions that were made last, by their tokens. The oldest are forgotten first. */
public final class RecentTokens {
  /** How many are remembered; DynamoDB remembers those of ten minutes. */
  public static final int MAX_TOKENS = 10_000;

  private final Map<String, StoreCall.Transaction> made =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StoreCall.Transaction> eldest) {
          return size() > MAX_TOKENS;
        }
      };

  /** Whether this transaction was made already. One of the same token must be the same. */
  public synchronized boolean wasMade(StoreCall.Transaction transaction) {
    StoreCall.Transaction before = made.get(transaction.token());
    if (before != null && !before.equals(transaction)) {
      throw new IllegalArgumentException(
          "token '" + transaction.token() + "' was used for another transaction: " + before);
    }
    return before != null;
  }

  public synchronized void add(StoreCall.Transaction transaction) {
    made.put(transaction.token(), transaction);
  }
}
