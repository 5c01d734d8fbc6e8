package dev.millrace.client.internal.write;

import dev.millrace.client.internal.store.Throwables;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How the legs of a request ended.
 *
 * @param outcomes one for each leg, null for one that broke
 * @param broken the mistake or bug on which one broke, null for none
 */
public record LegOutcomes(List<@Nullable Outcome> outcomes, @Nullable Throwable broken) {
  public static LegOutcomes of(Outcome only) {
    return new LegOutcomes(Collections.singletonList(only), null);
  }

  /** All ends, once all are there. */
  public static CompletableFuture<LegOutcomes> of(List<CompletableFuture<Outcome>> legs) {
    return CompletableFuture.allOf(legs.toArray(CompletableFuture<?>[]::new))
        .handle(
            (ignored, failure) -> {
              List<@Nullable Outcome> outcomes = new ArrayList<>(legs.size());
              for (CompletableFuture<Outcome> leg : legs) {
                outcomes.add(leg.isCompletedExceptionally() ? null : leg.join());
              }
              return new LegOutcomes(
                  outcomes, failure == null ? null : Throwables.unwrapped(failure));
            });
  }

  /** Whether the leg was charged. */
  public boolean isAdmitted(int leg) {
    return outcomes.get(leg) instanceof Outcome.Admitted;
  }

  public boolean allAdmitted() {
    for (int i = 0; i < outcomes.size(); i++) {
      if (!isAdmitted(i)) {
        return false;
      }
    }
    return true;
  }

  /** The first leg that is switched off, or −1. */
  public int disabled() {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Disabled) {
        return i;
      }
    }
    return -1;
  }

  public boolean anyRejected() {
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Rejected) {
        return true;
      }
    }
    return false;
  }

  /** Whether a leg may be charged and nobody knows. */
  public boolean isInDoubt() {
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Unavailable unavailable && unavailable.mayBeCharged()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the store has called the key of a leg hot. */
  public boolean isHot() {
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Unavailable unavailable
          && unavailable.failure().kind() == StoreFailure.Kind.HOT_KEY) {
        return true;
      }
    }
    return false;
  }

  /** The first leg that the store did not answer. */
  public Outcome.Unavailable unavailable() {
    boolean mayBeCharged = false;
    StoreFailure failure = null;
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Unavailable unavailable) {
        mayBeCharged |= unavailable.mayBeCharged();
        failure = failure == null ? unavailable.failure() : failure;
      }
    }
    if (failure == null) {
      throw new IllegalStateException("no leg is unavailable: " + outcomes);
    }
    return new Outcome.Unavailable(failure, mayBeCharged);
  }
}
