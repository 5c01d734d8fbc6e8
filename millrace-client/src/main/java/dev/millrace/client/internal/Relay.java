package dev.millrace.client.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds who leads the next batch of a bucket. */
final class Relay {
  private @Nullable BlockingRunner blocking;
  private @Nullable AsyncRunner async;

  void blocking(BlockingRunner runner) {
    this.blocking = runner;
  }

  void async(AsyncRunner runner) {
    this.async = runner;
  }

  /** Passes the lead of a bucket on, or leaves its channel idle. */
  void handOn(Bucket bucket) {
    List<Member> batch = bucket.channel().finish();
    while (batch != null) { // ends: each round takes a batch off a bounded queue
      batch.removeIf(Member::isAbandoned);
      if (batch.isEmpty() || calledToLead(batch)) {
        if (!batch.isEmpty()) {
          return;
        }
      } else if (async != null) {
        async.lead(bucket, batch);
        return;
      } else if (blocking != null) {
        blocking.leadForNobody(bucket, batch);
      }
      batch = bucket.channel().finish();
    }
  }

  /** Calls a waiting thread, unless a future waits too: then nobody's thread is needed. */
  private boolean calledToLead(List<Member> batch) {
    if (async != null && batch.stream().anyMatch(m -> m.waiting() == Member.Waiting.ASYNC)) {
      return false;
    }
    for (Member member : batch) {
      if (member.waiting() == Member.Waiting.BLOCKING && member.tell(new Member.Turn.Lead(batch))) {
        return true;
      }
    }
    return false;
  }
}
