package dev.millrace.client.internal;

import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What both runners do with a batch before and after its conversation. */
final class Batches {
  private Batches() {}

  static Step<CommitResult> conversation(LimiterCore core, Bucket bucket, List<Member> batch) {
    List<Demand> demands = new ArrayList<>(batch.size());
    for (Member member : batch) {
      demands.add(member.demand());
    }
    boolean mayCreate = false;
    for (Member member : batch) {
      // A settlement that comes along makes the bucket if it must, but not for those who ask.
      mayCreate |= member.order().mayCreate() && member.demand().kind() == Demand.Kind.ACQUIRE;
    }
    core.events().tell(listener -> listener.onGroup(bucket.key(), batch.size()));
    return core.commit(bucket, batch.get(0).terms(), mayCreate, demands);
  }

  /** Tells every member of a batch what became of its demand. */
  static void tell(Bucket bucket, Runner runner, List<Member> batch, CommitResult result) {
    for (int i = 0; i < batch.size(); i++) {
      Member member = batch.get(i);
      Outcome outcome = result.outcomes().get(i);
      if (!member.tell(new Member.Turn.Ended(outcome))
          && outcome instanceof Outcome.Admitted
          && member.isAbandoned()) {
        // Charged for somebody who has gone: given back with the next write.
        CompletableFuture<?> unused =
            runner.commitDetached(
                Order.settle(bucket, member.terms(), member.demand().amounts().negated()));
      }
    }
  }

  static void tellBroken(List<Member> batch, Throwable cause) {
    for (Member member : batch) {
      member.tell(new Member.Turn.Broken(cause));
    }
  }

  /**
   * Lets the caller of a member give up waiting; what it was told just before, or that it has given
   * up.
   */
  static Member.Turn abandon(Bucket bucket, Member member) {
    boolean queued = bucket.channel().withdraw(member);
    return member.abandon(/* mayBeCharged= */ !queued);
  }

  /** What a caller is told that has given up: the limiter takes over what it settles. */
  static Outcome gaveUp(
      LimiterCore core,
      Bucket bucket,
      Member member,
      Member.Turn.Abandoned abandoned,
      StoreFailure.Kind reason) {
    return member.demand().kind() == Demand.Kind.SETTLE
        ? core.pending().leave(bucket, member, abandoned, reason)
        : failed(reason, abandoned.mayBeCharged(), /* cause= */ null);
  }

  static Outcome failed(StoreFailure.Kind kind, boolean mayBeCharged, @Nullable Throwable cause) {
    return new Outcome.Unavailable(new StoreFailure(kind, cause), mayBeCharged);
  }
}
