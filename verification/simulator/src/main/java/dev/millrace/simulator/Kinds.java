package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The kinds of writes. */
final class Kinds {
  /** So many shards are as many as there can be. */
  private static final int MOST_SHARDS = 64;

  private Kinds() {}

  /** Whether a transaction splits a shard, or merges two. */
  static boolean reshapes(StoreCall call) {
    return call instanceof StoreCall.Transaction transaction
        && transaction.plans().stream().anyMatch(Kinds::isOfReshaping);
  }

  /** Whether a call may charge anybody. */
  static boolean charges(StoreCall call) {
    return call.writes()
        && !reshapes(call)
        && !(call instanceof StoreCall.Write write && write.plan() instanceof WritePlan.Resize);
  }

  /** The buckets that a call writes, each once, whatever its shards. */
  static Set<BucketKey> buckets(StoreCall call) {
    if (call instanceof StoreCall.Write write) {
      return Set.of(write.key().withShard(0));
    }
    Set<BucketKey> buckets = new LinkedHashSet<>();
    if (call instanceof StoreCall.Transaction transaction) {
      transaction.plans().forEach(plan -> buckets.add(plan.key().withShard(0)));
    }
    return buckets;
  }

  private static boolean isOfReshaping(WritePlan plan) {
    return plan instanceof WritePlan.Remove
        || (plan instanceof WritePlan.Create && plan.key().shard() != 0);
  }

  static Event of(WritePlan plan, boolean applied) {
    if (plan instanceof WritePlan.Create) {
      return applied ? Event.CREATED : Event.CREATE_REFUSED;
    }
    if (plan instanceof WritePlan.Consume) {
      return applied ? Event.CONSUMED : Event.CONSUME_REFUSED;
    }
    if (plan instanceof WritePlan.Adjust) {
      return applied ? Event.ADJUSTED : Event.ADJUST_REFUSED;
    }
    if (plan instanceof WritePlan.Resize resize) {
      if (!applied) {
        return Event.RESIZE_REFUSED;
      }
      return resize.count() > resize.expectedCount() ? Event.RESIZED_UP : Event.RESIZED_DOWN;
    }
    if (!applied) {
      return Event.LOCKED_REFUSED;
    }
    return plan instanceof WritePlan.Locked locked && locked.parameters().isUnchanged()
        ? Event.LOCKED
        : Event.REPARAMETERISED;
  }

  static List<Event> of(StoreCall.Transaction call, boolean made) {
    List<Event> events = new ArrayList<>();
    events.add(made ? Event.TRANSACTION_MADE : Event.TRANSACTION_CANCELLED);
    Set<BucketKey> buckets = new HashSet<>();
    boolean wide = false;
    for (WritePlan plan : call.plans()) {
      wide |= !buckets.add(plan.key().withShard(0));
      if (plan instanceof WritePlan.Remove) {
        events.add(made ? Event.MERGED : Event.MERGE_LOST);
      } else if (isOfReshaping(plan)) {
        events.add(made ? Event.SPLIT : Event.SPLIT_LOST);
      } else if (made && plan instanceof WritePlan.Resize) {
        events.add(Event.RESIZED_BY_HAND);
      }
      if (made && plan instanceof WritePlan.Locked locked) {
        events.addAll(ofLevel(locked));
      }
    }
    if (wide && call.changes().isEmpty() && !reshapes(call)) {
      events.add(made ? Event.WIDE_MADE : Event.WIDE_CANCELLED);
    }
    return events;
  }

  private static List<Event> ofLevel(WritePlan.Locked locked) {
    if (locked.parameters().division() == null) {
      return List.of();
    }
    return switch (locked.parameters().division().level()) {
      case 1 -> List.of(Event.WHOLE_AGAIN);
      case MOST_SHARDS -> List.of(Event.DIVIDED_MOST);
      default -> List.of();
    };
  }
}
