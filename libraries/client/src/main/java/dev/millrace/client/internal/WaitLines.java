package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.request.Amounts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which bucket, first come, first served. Only the first of a line asks the store;
 * the others cost nothing until it is their turn.
 */
final class WaitLines {
  private final int maxWaiters;
  private final ConcurrentHashMap<BucketKey, LinkedHashSet<Ticket>> lines =
      new ConcurrentHashMap<>();

  WaitLines(int maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  /** A place in a line. */
  static final class Ticket {
    private final BucketKey key;
    private final Amounts amounts;

    /** Completes when everyone ahead has left. */
    private final CompletableFuture<Void> turn = new CompletableFuture<>();

    private Ticket(BucketKey key, Amounts amounts) {
      this.key = key;
      this.amounts = amounts;
    }

    CompletableFuture<Void> turn() {
      return turn;
    }
  }

  /** Joins the line at its end; null when it is full. */
  @Nullable Ticket enter(BucketKey key, Amounts amounts) {
    Ticket ticket = new Ticket(key, amounts);
    boolean[] entered = {false};
    lines.compute(
        key,
        (k, waiting) -> {
          LinkedHashSet<Ticket> line = waiting == null ? new LinkedHashSet<>() : waiting;
          if (line.size() < maxWaiters) {
            entered[0] = line.add(ticket);
            if (line.size() == 1) {
              ticket.turn.complete(null); // nobody depends on it yet: runs no foreign code
            }
          }
          return line;
        });
    return entered[0] ? ticket : null;
  }

  /** Leaves the line, served or not, and calls the next when it was the first. */
  void leave(Ticket ticket) {
    Ticket[] next = {null};
    lines.computeIfPresent(
        ticket.key,
        (k, line) -> {
          boolean wasFirst = line.iterator().next() == ticket;
          line.remove(ticket);
          if (wasFirst && !line.isEmpty()) {
            next[0] = line.iterator().next();
          }
          return line.isEmpty() ? null : line;
        });
    if (next[0] != null) {
      next[0].turn.complete(null);
    }
  }

  /** What those ahead of {@code ticket} want. */
  List<Amounts> ahead(Ticket ticket) {
    List<Amounts> ahead = new ArrayList<>();
    lines.computeIfPresent(
        ticket.key,
        (k, line) -> {
          for (Ticket other : line) {
            if (other == ticket) {
              break;
            }
            ahead.add(other.amounts);
          }
          return line;
        });
    return ahead;
  }
}
