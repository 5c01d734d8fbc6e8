package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.config.Terms;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Sighting;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be said of buckets without changing them: from the store, or from what was seen. */
final class Views {
  private final LimiterCore core;

  Views(LimiterCore core) {
    this.core = core;
  }

  /** The refusal that costs nothing, or null when the store must be asked. */
  @Nullable Decision refusal(Prepared prepared) {
    long nowMs = core.clock().nowMs();
    List<Leg> legs = prepared.legs();
    for (int i = 0; i < legs.size(); i++) {
      Leg leg = legs.get(i);
      Sighting sighting = leg.bucket().sighting();
      if (sighting == null || !sighting.isTrusted(nowMs)) {
        continue;
      }
      Projection projection = project(sighting.state(), leg.terms(), nowMs);
      if (projection.isOutdated() || projection.needsRepair()) {
        continue;
      }
      if (projection.isDisabled()) {
        return Acquiring.disabled(leg);
      }
      if (!projection.fits(leg.amounts())) {
        return legs.size() == 1
            ? new Decision.Refused(projection.reject(leg.amounts()))
            : refusalOfAll(legs, nowMs);
      }
    }
    return null;
  }

  /**
   * A refusal lists every leg, so every one must have been seen. One that was seen long ago is told
   * as it must be by now if nobody else wrote it: then the time to wait suffices.
   */
  private @Nullable Decision refusalOfAll(List<Leg> legs, long nowMs) {
    List<LimitStatus> statuses = new ArrayList<>();
    for (Leg leg : legs) {
      Sighting sighting = leg.bucket().sighting();
      if (sighting == null) {
        return null;
      }
      Projection projection = project(sighting.state(), leg.terms(), nowMs);
      statuses.addAll(
          projection.isOutdated()
              ? projection.statusesIfAdmitted(leg.amounts())
              : projection.statuses(leg.amounts()));
    }
    return statuses.stream().anyMatch(LimitStatus::exceeded)
        ? new Decision.Refused(new Rejection(statuses))
        : null;
  }

  /** The refusal of a request of which some legs were refused and the others given back. */
  Rejection rejection(Prepared prepared, Ends ends) {
    long nowMs = core.clock().nowMs();
    List<LimitStatus> statuses = new ArrayList<>();
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      Sighting sighting = leg.bucket().sighting();
      BucketState state =
          sighting == null
              ? BucketState.full(leg.key(), leg.terms().limits(), nowMs)
              : sighting.state();
      Projection now = project(state, leg.terms(), nowMs);
      statuses.addAll(
          ends.outcomes().get(i) instanceof Outcome.Rejected rejected
              ? stillRefused(now.statuses(leg.amounts()), rejected.rejection().statuses())
              : now.statusesIfAdmitted(leg.amounts()));
    }
    return new Rejection(statuses);
  }

  /**
   * Giving the other legs back has taken a round trip, so the time to wait is told as of now. When
   * the tokens have come meanwhile, the request was refused all the same: it may come again at
   * once.
   */
  private static List<LimitStatus> stillRefused(List<LimitStatus> now, List<LimitStatus> then) {
    return now.stream().anyMatch(LimitStatus::exceeded)
        ? now
        : then.stream()
            .map(status -> status.exceeded() ? status.retryingAfter(1) : status)
            .toList();
  }

  /** The soft limits that a granted request found short. */
  List<LimitStatus> overdrawn(Prepared prepared) {
    List<LimitStatus> overdrawn = List.of();
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      Sighting sighting = leg.bucket().sighting();
      if (sighting != null && hasSoft(leg.terms())) {
        Projection after = project(sighting.state(), leg.terms(), core.clock().nowMs());
        after.settle(leg.amounts().negated());
        for (LimitStatus status : after.statuses(leg.amounts())) {
          if (status.overdrawn()) {
            overdrawn = overdrawn.isEmpty() ? new ArrayList<>() : overdrawn;
            overdrawn.add(status);
          }
        }
      }
    }
    return overdrawn;
  }

  private static boolean hasSoft(Terms terms) {
    for (int i = 0; i < terms.limits().size(); i++) {
      if (terms.limits().get(i).soft()) {
        return true;
      }
    }
    return false;
  }

  /**
   * What a request would meet.
   *
   * @param statuses every limit of every leg
   * @param ahead the buckets that follow a later configuration than the legs
   */
  record Seen(List<LimitStatus> statuses, Ahead ahead) {}

  /** What a request would meet now, of every leg, in one round trip. */
  Step<Seen> look(List<Leg> legs) {
    long askedAtMs = core.clock().nowMs();
    return Step.Ask.one(
        read(legs.stream().map(Leg::key).toList()),
        (reply, nowMs) -> {
          List<LimitStatus> statuses = new ArrayList<>();
          for (Leg leg : legs) {
            BucketState state = stateIn(reply, leg.key());
            if (state != null) {
              leg.bucket().sawAside(Sighting.of(state, nowMs), askedAtMs);
            }
            BucketState seen =
                state == null ? BucketState.full(leg.key(), leg.terms().limits(), nowMs) : state;
            statuses.addAll(project(seen, leg.terms(), nowMs).statuses(leg.amounts()));
          }
          return new Step.Done<>(new Seen(statuses, Ahead.of(legs)));
        });
  }

  /** The call that reads buckets. */
  static StoreCall read(List<BucketKey> keys) {
    return keys.size() == 1 ? new StoreCall.Read(keys.get(0)) : new StoreCall.ReadAll(keys);
  }

  /** What the answer to {@link #read} says of a bucket, null when there is none. */
  static @Nullable BucketState stateIn(StoreReply reply, BucketKey key) {
    if (reply instanceof StoreReply.FoundAll all) {
      return all.states().get(key);
    }
    if (reply instanceof StoreReply.Found found) {
      return found.state();
    }
    throw LimiterCore.unavailable(key, failureOf(reply), /* mayBeCharged= */ false);
  }

  /**
   * What is known without asking: the statuses that a request would meet after all those {@code
   * ahead} of it, or null when the bucket was not seen lately or follows other limits by now.
   */
  @Nullable List<LimitStatus> peek(Prepared prepared, List<Amounts> ahead) {
    long nowMs = core.clock().nowMs();
    Sighting sighting = prepared.first().bucket().sighting();
    if (sighting == null || !sighting.isTrusted(nowMs)) {
      return null;
    }
    Projection projection = project(sighting.state(), prepared.first().terms(), nowMs);
    if (projection.isOutdated()) {
      return null;
    }
    for (Amounts other : ahead) {
      if (other.limits().equals(prepared.amounts().limits())) {
        projection.settle(other);
      }
    }
    return projection.statuses(prepared.amounts());
  }

  private Projection project(BucketState state, Terms terms, long nowMs) {
    return Projection.of(state, terms, nowMs, core.options().plan().maxSkewMs());
  }

  static StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return unknown.failure();
    }
    throw new IllegalStateException("a store answered a read with " + reply);
  }
}
