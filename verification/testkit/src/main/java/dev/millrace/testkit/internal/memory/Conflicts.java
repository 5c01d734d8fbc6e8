package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.store.StoreCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The buckets and records that are being written at the moment, and therefore cannot be written by
 * others.
 *
 * <p>The rule: whoever comes first keeps what it writes until it leaves. A transaction does not
 * enter while anything that it names, be it only to check it, is kept by another transaction or by
 * a single write; a single write or an erasure does not enter while a transaction keeps what it
 * writes. Single writes do not disturb each other, and reads nobody. Who does not enter has no
 * effect and keeps nothing.
 */
public final class Conflicts {
  /** Stands for a transaction in place of a number of writers. */
  private static final int TRANSACTION = -1;

  /** Who keeps one bucket or record: single writers, or one transaction. */
  private final Map<TablePosition, Integer> writers = new HashMap<>();

  /** Enters, unless somebody is in the way. */
  public synchronized boolean enter(StoreCall call) {
    boolean transaction = call instanceof StoreCall.Transaction;
    Set<TablePosition> keys = written(call);
    for (TablePosition key : keys) {
      int present = writers.getOrDefault(key, 0);
      if (present == TRANSACTION || (transaction && present > 0)) {
        return false;
      }
    }
    for (TablePosition key : keys) {
      writers.merge(key, transaction ? TRANSACTION : 1, Integer::sum);
    }
    return true;
  }

  /** Leaves what it has entered. */
  public synchronized void leave(StoreCall call) {
    int left = call instanceof StoreCall.Transaction ? -TRANSACTION : -1;
    for (TablePosition key : written(call)) {
      writers.merge(key, left, (present, gone) -> present + gone == 0 ? null : present + gone);
    }
  }

  /** How many buckets and records are kept. */
  public synchronized int kept() {
    return writers.size();
  }

  /** By place, so that an item that is erased is the same as its bucket or record. */
  private static Set<TablePosition> written(StoreCall call) {
    Set<TablePosition> keys = new HashSet<>();
    if (call instanceof StoreCall.Write write) {
      keys.add(TableLayout.of(write.key()));
    } else if (call instanceof StoreCall.Transaction transaction) {
      transaction.plans().forEach(plan -> keys.add(TableLayout.of(plan.key())));
      transaction.changes().forEach(change -> keys.add(TableLayout.of(change.key())));
    } else if (call instanceof StoreCall.Erase erase) {
      erase.buckets().forEach(key -> keys.add(TableLayout.of(key)));
      erase.items().forEach(item -> keys.add(new TablePosition(item.partition(), item.sort())));
    }
    return keys;
  }
}
