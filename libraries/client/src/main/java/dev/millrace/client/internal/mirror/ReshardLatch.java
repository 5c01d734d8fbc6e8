package dev.millrace.client.internal.mirror;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lets one of a process split or merge a shard while the others who would write it wait. A shard is
 * split because it is written too hard, and what is written meanwhile is in the way of the
 * transaction: it takes the store's throughput, and conflicts with it.
 */
public final class ReshardLatch {
  /** How soon it is tried again after it failed; writes pass as long. */
  private static final long PAUSE_MS = 50;

  private final int maxWaiting;
  private @Nullable CompletableFuture<Void> underWay;
  private int waiting;
  private long beginsFromMs = Long.MIN_VALUE;

  public ReshardLatch(int maxWaiting) {
    this.maxWaiting = maxWaiting;
  }

  /** Begins; false when somebody is at it, or failed just now. Who has begun must {@link #end}. */
  public synchronized boolean begin(long nowMs) {
    if (underWay != null || nowMs < beginsFromMs) {
      return false;
    }
    underWay = new CompletableFuture<>();
    waiting = 0;
    return true;
  }

  /** The end of what is under way; null when nothing is, or when too many wait for it already. */
  public synchronized @Nullable CompletableFuture<Void> join() {
    return underWay != null && waiting++ < maxWaiting ? underWay : null;
  }

  public void end(boolean failed, long nowMs) {
    CompletableFuture<Void> ended;
    synchronized (this) {
      ended = underWay;
      underWay = null;
      beginsFromMs = failed ? nowMs + PAUSE_MS : Long.MIN_VALUE;
    }
    if (ended != null) {
      ended.complete(null);
    }
  }
}
