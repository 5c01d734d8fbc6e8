package dev.millrace.server.envoy;

import dev.millrace.Acquisition;
import dev.millrace.DisabledBucket;
import dev.millrace.Lease;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.Rejection;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides the descriptors of one request.
 *
 * <p>Groups are charged one after the other. When one is refused, those before it are given back,
 * and those after it are only looked at, so that every descriptor has its status and a refused
 * request costs nothing. Rules that only watch come last, and only for requests that the others let
 * through: that is what they would see were they not shadows.
 *
 * <p>There are three ways to end: all is decided, the time is up, or the proxy went away. The first
 * of them wins, and what was charged or is yet to be charged is given back unless the answer lets
 * the request through.
 */
final class Deciding {
  private final Buckets buckets;
  private final Domain domain;
  private final double nearRatio;
  private final @Nullable Verdict[] verdicts;
  private final List<Asked> asked;
  private final List<Group> firm;
  private final List<Group> shadows;
  private final CompletableFuture<List<Verdict>> result = new CompletableFuture<>();

  /** Guarded by this. */
  private final List<Lease> taken = new ArrayList<>();

  /** Guarded by this. */
  private boolean ended;

  /** Guarded by this. */
  private @Nullable CompletableFuture<?> pending;

  Deciding(
      Buckets buckets,
      Domain domain,
      double nearRatio,
      @Nullable Verdict[] verdicts,
      List<Asked> asked) {
    this.buckets = buckets;
    this.domain = domain;
    this.nearRatio = nearRatio;
    this.verdicts = verdicts;
    this.asked = asked;
    this.firm = Group.of(asked.stream().filter(one -> !one.rule().shadow()).toList());
    this.shadows = Group.of(asked.stream().filter(one -> one.rule().shadow()).toList());
  }

  /** Begins; the verdicts come in the order of the descriptors. */
  CompletableFuture<List<Verdict>> start() {
    each(firm, 0)
        .thenCompose(ignored -> isOver() ? skipShadows() : each(shadows, 0))
        .whenComplete((ignored, error) -> end(error));
    return result;
  }

  private CompletionStage<Void> each(List<Group> groups, int index) {
    if (index == groups.size() || isEnded()) {
      return CompletableFuture.completedFuture(null);
    }
    Group group = groups.get(index);
    CompletionStage<Void> one = isOver() ? look(group) : charge(group);
    return one.thenCompose(ignored -> each(groups, index + 1));
  }

  private CompletionStage<Void> skipShadows() {
    shadows.forEach(group -> group.members().forEach(one -> give(one, Verdict.passed(null, 1))));
    return CompletableFuture.completedFuture(null);
  }

  private CompletionStage<Void> charge(Group group) {
    CompletableFuture<Acquisition> answer = buckets.acquire(group);
    synchronized (this) {
      pending = answer;
      if (ended) {
        answer.cancel(false);
      }
    }
    return answer
        .handle((acquisition, error) -> judge(group, acquisition, error))
        .thenCompose(next -> next);
  }

  private CompletionStage<Void> judge(
      Group group, @Nullable Acquisition answer, @Nullable Throwable error) {
    if (error != null || answer == null) {
      return failed(group, Buckets.cause(error));
    }
    if (answer instanceof Acquisition.Granted granted) {
      keep(granted.lease());
      return tell(group);
    }
    if (answer instanceof Acquisition.Refused refused) {
      refused(group, refused.rejection());
    } else if (answer instanceof Acquisition.Disabled disabled) {
      disabled(group, disabled.disabled());
    }
    return isOver() ? giveBack() : CompletableFuture.completedFuture(null);
  }

  private void keep(Lease lease) {
    boolean late;
    synchronized (this) {
      late = ended;
      if (!late) {
        taken.add(lease);
      }
    }
    if (late) {
      var unused = lease.cancelAsync();
    }
  }

  /** What members of a charged group have left. One without a limit is the domain's to judge. */
  private CompletionStage<Void> tell(Group group) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (Asked one : group.members()) {
      all.add(
          buckets
              .left(one)
              .handle(
                  (standings, error) -> {
                    Throwable cause = error == null ? null : Buckets.cause(error);
                    if (cause != null && Buckets.saysNoLimits(cause)) {
                      give(one, Verdict.unlimited(domain.onUnknown()));
                    } else {
                      // It was charged: that nobody can say what is left does not change that.
                      Standing tightest = standings == null ? null : Standing.tightest(standings);
                      give(one, Verdict.passed(tightest, nearRatio));
                    }
                    return null;
                  })
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenCompose(
            ignored -> isOver() ? giveBack() : CompletableFuture.completedFuture((Void) null));
  }

  private void refused(Group group, Rejection rejection) {
    for (Asked one : group.members()) {
      List<LimitStatus> own =
          rejection.statuses().stream()
              .filter(status -> status.resource().equals(one.resource()))
              .toList();
      give(one, Buckets.judged(own, nearRatio));
    }
  }

  private void disabled(Group group, DisabledBucket disabled) {
    boolean named =
        group.members().stream().anyMatch(one -> one.resource().equals(disabled.resource()));
    for (Asked one : group.members()) {
      boolean off = !named || one.resource().equals(disabled.resource());
      give(one, off ? Verdict.refused(null) : Verdict.passed(null, 1));
    }
  }

  private CompletionStage<Void> failed(Group group, Throwable cause) {
    if (cause instanceof LimiterUnavailableException) {
      for (Asked one : group.members()) {
        give(one, Verdict.undecided(one.rule().onUnavailable()));
      }
      if (group.policy() == OnUnavailable.FAIL && !group.members().get(0).rule().shadow()) {
        return CompletableFuture.failedFuture(unavailable("the table cannot be reached"));
      }
      return isOver() ? giveBack() : CompletableFuture.completedFuture(null);
    }
    if (Buckets.saysNoLimits(cause)) {
      if (group.members().size() > 1) { // the others have limits, perhaps
        List<Group> alone = new ArrayList<>();
        group.members().forEach(one -> alone.addAll(Group.of(List.of(one))));
        return each(alone, 0);
      }
      give(group.members().get(0), Verdict.unlimited(domain.onUnknown()));
      return isOver() ? giveBack() : CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.failedFuture(cause);
  }

  private CompletionStage<Void> look(Group group) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (Asked one : group.members()) {
      all.add(
          buckets
              .look(one)
              .handle(
                  (statuses, error) -> {
                    give(
                        one,
                        error == null
                            ? Buckets.judged(statuses, nearRatio)
                            : Buckets.saysNoLimits(Buckets.cause(error))
                                ? Verdict.unlimited(domain.onUnknown())
                                : Verdict.undecided(one.rule().onUnavailable()));
                    return null;
                  })
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private synchronized void give(Asked one, Verdict verdict) {
    verdicts[one.index()] = one.rule().shadow() ? verdict.shadowed() : verdict;
  }

  private synchronized boolean isOver() {
    return Arrays.stream(verdicts).anyMatch(verdict -> verdict != null && verdict.over());
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  /** Gives back what was charged; that it fails changes no answer: then the charge stays. */
  private CompletionStage<Void> giveBack() {
    List<Lease> all;
    synchronized (this) {
      all = List.copyOf(taken);
      taken.clear();
    }
    return CompletableFuture.allOf(
            all.stream()
                .map(lease -> lease.cancelAsync().toCompletableFuture())
                .toArray(CompletableFuture[]::new))
        .handle((ignored, error) -> null);
  }

  private void end(@Nullable Throwable error) {
    if (!claimEnd()) {
      return;
    }
    if (error != null) {
      giveBack()
          .whenComplete((ignored, none) -> result.completeExceptionally(Buckets.cause(error)));
      return;
    }
    synchronized (this) {
      taken.forEach(Lease::closeAsync); // nothing was adjusted, so nothing is written
    }
    result.complete(complete());
  }

  /** The time is up: what is not decided is answered as its rule says. */
  void expire() {
    if (!claimEnd()) {
      return;
    }
    boolean fails = false;
    synchronized (this) {
      for (Asked one : asked) {
        if (verdicts[one.index()] == null) {
          fails |= one.rule().onUnavailable() == OnUnavailable.FAIL && !one.rule().shadow();
          give(one, Verdict.undecided(one.rule().onUnavailable()));
        }
      }
    }
    stopPending();
    if (fails || isOver()) {
      giveBack();
    }
    if (fails) {
      result.completeExceptionally(
          Status.DEADLINE_EXCEEDED
              .withDescription("the table did not decide within the deadline")
              .asRuntimeException());
    } else {
      result.complete(complete());
    }
  }

  /** Nobody waits for the answer any more: everything is given back. */
  void abandon() {
    if (claimEnd()) {
      stopPending();
      giveBack();
      result.cancel(false);
    }
  }

  private synchronized boolean claimEnd() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  private void stopPending() {
    CompletableFuture<?> stopped;
    synchronized (this) {
      stopped = pending;
    }
    if (stopped != null) {
      stopped.cancel(false);
    }
  }

  private synchronized List<Verdict> complete() {
    List<Verdict> all = new ArrayList<>();
    for (Verdict verdict : verdicts) {
      all.add(verdict == null ? Verdict.passed(null, 1) : verdict);
    }
    return all;
  }

  private static RuntimeException unavailable(String why) {
    return Status.UNAVAILABLE.withDescription(why).asRuntimeException();
  }
}
