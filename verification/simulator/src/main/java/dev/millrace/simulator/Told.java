package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Calls and answers in few words. */
final class Told {
  private Told() {}

  static String key(BucketKey key) {
    return key.entityId() + "/" + key.resource() + (key.shard() == 0 ? "" : "#" + key.shard());
  }

  static String call(StoreCall call) {
    if (call instanceof StoreCall.Write write) {
      return plan(write.plan());
    }
    if (call instanceof StoreCall.Transaction transaction) {
      String plans =
          transaction.plans().stream().map(Told::plan).collect(Collectors.joining(" and "));
      String changes =
          transaction.changes().stream()
              .map(change -> change.getClass().getSimpleName() + " " + change.key())
              .collect(Collectors.joining(", "));
      return "transaction of " + plans + (changes.isEmpty() ? "" : " [" + changes + "]");
    }
    if (call instanceof StoreCall.Read read) {
      return "read " + key(read.key());
    }
    if (call instanceof StoreCall.ReadAll all) {
      return "read " + all.keys().stream().map(Told::key).toList();
    }
    if (call instanceof StoreCall.Lookup lookup) {
      return (lookup.consistent() ? "look up " : "look up, perhaps old, ") + lookup.keys();
    }
    return call.toString();
  }

  private static String plan(WritePlan plan) {
    String key = key(plan.key());
    if (plan instanceof WritePlan.Create create) {
      return "create " + key + " " + state(create.state());
    }
    if (plan instanceof WritePlan.Consume consume) {
      return "consume "
          + key
          + changes(consume.changes())
          + " if refilled since "
          + consume.minRefilledAtMs()
          + (consume.level() == 1 ? "" : " at level " + consume.level());
    }
    if (plan instanceof WritePlan.Adjust adjust) {
      return "adjust " + key + changes(adjust.changes());
    }
    if (plan instanceof WritePlan.Resize resize) {
      return "resize " + key + " from " + resize.expectedCount() + " to " + resize.count();
    }
    if (plan instanceof WritePlan.Remove remove) {
      return "remove " + key + " if last written as " + remove.expectedOp();
    }
    WritePlan.Locked locked = (WritePlan.Locked) plan;
    return "claim "
        + key
        + " "
        + locked.expectedRefilledAtMs()
        + " to "
        + locked.refilledAtMs()
        + (locked.level() == 1 ? "" : " at level " + locked.level())
        + changes(locked.changes())
        + (locked.parameters().isUnchanged() ? "" : " and set " + locked.parameters());
  }

  private static String changes(List<LimitChange> changes) {
    return changes.stream()
        .map(
            change ->
                " "
                    + change.name()
                    + " "
                    + signed(change.addTokensMilli())
                    + " (charged "
                    + signed(change.addConsumedMilli())
                    + ")")
        .collect(Collectors.joining(","));
  }

  static String signed(long milli) {
    return (milli >= 0 ? "+" : "") + Limit.tokens(milli);
  }

  static String reply(StoreReply reply) {
    if (reply instanceof StoreReply.Applied applied) {
      return "made: " + state(applied.state());
    }
    if (reply instanceof StoreReply.Refused refused) {
      return "refused by " + state(refused.state());
    }
    if (reply instanceof StoreReply.Found found) {
      return "found " + state(found.state());
    }
    if (reply instanceof StoreReply.FoundAll all) {
      return "found " + all.states().values().stream().map(Told::state).sorted().toList();
    }
    if (reply instanceof StoreReply.Cancelled cancelled) {
      return "cancelled by "
          + cancelled.causes().stream()
              .map(cause -> cause.refused() ? state(cause.state()) : "-")
              .toList();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return "nobody knows (" + unknown.failure().kind() + ")";
    }
    if (reply instanceof StoreReply.NotApplied not) {
      return "not made (" + not.failure().kind() + ")";
    }
    if (reply instanceof StoreReply.Records records) {
      return records.records().size() + " records";
    }
    return reply.getClass().getSimpleName();
  }

  static String state(@Nullable BucketState state) {
    if (state == null) {
      return "nothing";
    }
    return "{to "
        + state.refilledAtMs()
        + state.limits().stream()
            .map(
                limit ->
                    ", "
                        + limit.name()
                        + " "
                        + Limit.tokens(limit.tokensMilli())
                        + " (used "
                        + Limit.tokens(limit.consumedMilli())
                        + ")")
            .collect(Collectors.joining())
        + (state.stamp().disabled() ? ", off" : "")
        + (state.division().equals(Division.NONE)
            ? ""
            : ", #"
                + state.key().shard()
                + " of "
                + state.division().level()
                + " for "
                + state.division().count())
        + "}";
  }

  /** Tells one call with its answer from another, without the random ids of writes. */
  static long mark(StoreCall call, StoreReply reply) {
    long mark = call.getClass().getName().hashCode();
    mark = mark * 31 + reply.getClass().getName().hashCode();
    if (reply instanceof StoreReply.Applied applied) {
      mark = mark * 31 + mark(applied.state());
    } else if (reply instanceof StoreReply.Refused refused && refused.state() != null) {
      mark = mark * 31 + mark(refused.state());
    } else if (reply instanceof StoreReply.Found found && found.state() != null) {
      mark = mark * 31 + mark(found.state());
    }
    return mark;
  }

  private static long mark(BucketState state) {
    long mark = state.refilledAtMs() ^ ((long) state.division().level() << 48);
    for (LimitState limit : state.limits()) {
      mark = (mark * 31 + limit.tokensMilli()) * 31 + limit.consumedMilli();
    }
    return mark;
  }
}
