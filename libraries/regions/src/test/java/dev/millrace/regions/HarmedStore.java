package dev.millrace.regions;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The table as a process sees it that may die before and after every call, of which requests and
 * answers get lost, and whose transactions arrive when nobody waits for them any more.
 */
final class HarmedStore implements BlockingStore {
  private static final long TIMEOUT_MS = 1_000;

  private final BlockingStore table;
  private final RandomFaults harm;
  private final Queue<StoreCall> late = new ArrayDeque<>();
  private boolean away;

  HarmedStore(BlockingStore table, RandomFaults harm) {
    this.table = table;
    this.harm = harm;
  }

  void setAway(boolean away) {
    this.away = away;
  }

  /** What was under way arrives. */
  void arrive() {
    StoreCall call = late.poll();
    if (call != null) {
      table.execute(call, TIMEOUT_MS);
    }
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    harm.pass();
    if (away && !harm.isOver()) {
      return notApplied(StoreFailure.Kind.UNREACHABLE);
    }
    if (harm.happens(20)) {
      return notApplied(StoreFailure.Kind.THROTTLED);
    }
    if (call instanceof StoreCall.Transaction) {
      if (harm.happens(40)) {
        return notApplied(StoreFailure.Kind.CONFLICT);
      }
      if (harm.happens(60)) {
        late.add(call);
        return lost();
      }
    }
    if (harm.happens(10)) {
      return lost();
    }
    StoreReply reply = table.execute(call, timeoutMs);
    harm.crash();
    return harm.happens(40) ? lost() : reply;
  }

  private static StoreReply notApplied(StoreFailure.Kind kind) {
    return new StoreReply.NotApplied(new StoreFailure(kind, null), Receipt.NONE);
  }

  private static StoreReply lost() {
    return new StoreReply.Unknown(
        new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), Receipt.NONE);
  }
}
