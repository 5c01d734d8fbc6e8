package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreCall;

/** The steps of calls to a table of some schema. */
public interface TableSteps {
  /** The first step of {@code call}; the last one has the reply. */
  RequestStep first(StoreCall call, long timeoutMs);

  /** The steps of calls to the same table, depending on whether it may hold older buckets. */
  TableSteps forSchema(boolean mayHoldOlder);
}
