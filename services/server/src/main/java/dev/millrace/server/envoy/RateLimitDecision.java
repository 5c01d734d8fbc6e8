package dev.millrace.server.envoy;

import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.server.envoy.ChargeGroup.Member;
import dev.millrace.server.envoy.EnvoyMapping.Domain;
import dev.millrace.server.envoy.EnvoyMapping.FailurePolicy;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decision on the descriptors of one request.
 *
 * <p>Groups are charged one after the other. When one is refused, those before it are given back,
 * and those after it are only read, so that every descriptor has its status and a refused request
 * costs nothing. Shadow rules come last, and only for requests that the others let through: those
 * are the requests that they would receive if they were not shadows.
 *
 * <p>A decision ends when all descriptors are decided, when the time is up, or when the proxy
 * disconnects. The first of these wins, and all charges made until then or later are given back
 * unless the answer lets the request through.
 */
final class RateLimitDecision {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedFuture(null);

  private final BucketQueries buckets;
  private final Domain domain;
  private final double nearRatio;
  private final @Nullable DescriptorDecision[] decisions;
  private final List<Member> members;
  private final List<ChargeGroup> firm;
  private final List<ChargeGroup> shadows;
  private final CompletableFuture<List<DescriptorDecision>> result = new CompletableFuture<>();

  /** Guarded by this. */
  private final List<Lease> leases = new ArrayList<>();

  /** Guarded by this. */
  private boolean ended;

  /** Guarded by this. */
  private @Nullable CompletableFuture<?> pending;

  /**
   * A decision that has not begun.
   *
   * @param decisions those that need no limiter; null for the {@code members}
   */
  RateLimitDecision(
      BucketQueries buckets,
      Domain domain,
      double nearRatio,
      @Nullable DescriptorDecision[] decisions,
      List<Member> members) {
    this.buckets = buckets;
    this.domain = domain;
    this.nearRatio = nearRatio;
    this.decisions = decisions;
    this.members = members;
    this.firm = ChargeGroup.of(members.stream().filter(one -> !one.rule().shadow()).toList());
    this.shadows = ChargeGroup.of(members.stream().filter(one -> one.rule().shadow()).toList());
  }

  /** Begins; the result is in the order of the descriptors. */
  CompletableFuture<List<DescriptorDecision>> start() {
    each(firm, 0)
        .thenCompose(ignored -> isOver() ? skipShadows() : each(shadows, 0))
        .whenComplete((ignored, error) -> end(error));
    return result;
  }

  private CompletionStage<Void> each(List<ChargeGroup> groups, int index) {
    if (index == groups.size() || isEnded()) {
      return DONE;
    }
    ChargeGroup group = groups.get(index);
    return (isOver() ? read(group) : charge(group)).thenCompose(ignored -> each(groups, index + 1));
  }

  private CompletionStage<Void> skipShadows() {
    shadows.forEach(
        group -> group.members().forEach(one -> decide(one, DescriptorDecision.PASSED)));
    return DONE;
  }

  private CompletionStage<Void> charge(ChargeGroup group) {
    CompletableFuture<Acquisition> answer = buckets.acquire(group);
    synchronized (this) {
      pending = answer;
      if (ended) {
        answer.cancel(false);
      }
    }
    return answer
        .handle((acquisition, error) -> decide(group, acquisition, error))
        .thenCompose(next -> next);
  }

  private CompletionStage<Void> decide(
      ChargeGroup group, @Nullable Acquisition answer, @Nullable Throwable error) {
    if (error != null) {
      return failed(group, HttpRefusal.unwrapped(error));
    }
    if (answer instanceof Acquisition.Granted granted) {
      keep(granted.lease());
      return each(group, this::addBalance);
    }
    for (Member one : group.members()) {
      if (answer instanceof Acquisition.Refused refused) {
        List<LimitStatus> own =
            refused.rejection().statuses().stream()
                .filter(status -> status.resource().equals(one.resource()))
                .toList();
        decide(one, DescriptorDecision.of(own, nearRatio));
      } else if (answer instanceof Acquisition.Disabled off) {
        String resource = off.disabled().resource();
        boolean applies =
            one.resource().equals(resource)
                || group.members().stream().noneMatch(any -> any.resource().equals(resource));
        decide(one, applies ? DescriptorDecision.refused(null) : DescriptorDecision.PASSED);
      }
    }
    return giveBackIfOver();
  }

  private void keep(Lease lease) {
    boolean late;
    synchronized (this) {
      late = ended;
      if (!late) {
        leases.add(lease);
      }
    }
    if (late) {
      var unused = lease.cancelAsync();
    }
  }

  /** Decides a charged descriptor with its balance. One without a limit is the domain's. */
  private CompletionStage<?> addBalance(Member one) {
    return buckets
        .balances(one)
        .handle(
            (balances, error) -> {
              if (error != null && BucketQueries.isWithoutLimits(HttpRefusal.unwrapped(error))) {
                decide(one, DescriptorDecision.unlimited(domain.onUnknown()));
              } else { // it was charged, even if its balance cannot be read
                decide(
                    one,
                    DescriptorDecision.passed(error == null ? balances : List.of(), nearRatio));
              }
              return null;
            });
  }

  private CompletionStage<Void> read(ChargeGroup group) {
    return each(
        group,
        one ->
            buckets
                .statuses(one)
                .handle(
                    (statuses, error) -> {
                      decide(
                          one,
                          error == null
                              ? DescriptorDecision.of(statuses, nearRatio)
                              : BucketQueries.isWithoutLimits(HttpRefusal.unwrapped(error))
                                  ? DescriptorDecision.unlimited(domain.onUnknown())
                                  : DescriptorDecision.undecided(one.rule().onUnavailable()));
                      return null;
                    }));
  }

  private CompletionStage<Void> each(ChargeGroup group, Function<Member, CompletionStage<?>> step) {
    return CompletableFuture.allOf(
            group.members().stream()
                .map(one -> step.apply(one).toCompletableFuture())
                .toArray(CompletableFuture[]::new))
        .thenCompose(ignored -> giveBackIfOver());
  }

  private CompletionStage<Void> failed(ChargeGroup group, Throwable cause) {
    if (cause instanceof LimiterUnavailableException) {
      for (Member one : group.members()) {
        decide(one, DescriptorDecision.undecided(one.rule().onUnavailable()));
      }
      if (group.rule().onUnavailable() == FailurePolicy.FAIL && !group.rule().shadow()) {
        return CompletableFuture.failedFuture(
            Status.UNAVAILABLE.withDescription("the table cannot be reached").asRuntimeException());
      }
      return giveBackIfOver();
    }
    if (!BucketQueries.isWithoutLimits(cause)) {
      return CompletableFuture.failedFuture(cause);
    }
    if (group.members().size() > 1) { // the others may have limits
      return each(group.members().stream().map(one -> new ChargeGroup(List.of(one))).toList(), 0);
    }
    decide(group.members().get(0), DescriptorDecision.unlimited(domain.onUnknown()));
    return giveBackIfOver();
  }

  private synchronized void decide(Member one, DescriptorDecision decision) {
    decisions[one.index()] = one.rule().shadow() ? decision.shadowed() : decision;
  }

  private synchronized boolean isOver() {
    return Arrays.stream(decisions).anyMatch(decision -> decision != null && decision.over());
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  private CompletionStage<Void> giveBackIfOver() {
    return isOver() ? giveBack() : DONE;
  }

  /** Gives back all charges; a failure changes no answer, the charge then stays. */
  private CompletionStage<Void> giveBack() {
    List<Lease> all;
    synchronized (this) {
      all = List.copyOf(leases);
      leases.clear();
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
          .whenComplete(
              (ignored, none) -> result.completeExceptionally(HttpRefusal.unwrapped(error)));
      return;
    }
    synchronized (this) {
      leases.forEach(Lease::closeAsync); // nothing was adjusted, so nothing is written
    }
    result.complete(complete());
  }

  /** Ends the decision because the time is up: the rules answer for undecided descriptors. */
  void expire() {
    if (!claimEnd()) {
      return;
    }
    boolean fails = false;
    synchronized (this) {
      for (Member one : members) {
        if (decisions[one.index()] == null) {
          fails |= one.rule().onUnavailable() == FailurePolicy.FAIL && !one.rule().shadow();
          decide(one, DescriptorDecision.undecided(one.rule().onUnavailable()));
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

  /** Ends the decision because the proxy has disconnected: everything is given back. */
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

  private synchronized List<DescriptorDecision> complete() {
    return Arrays.stream(decisions)
        .map(decision -> decision == null ? DescriptorDecision.PASSED : decision)
        .toList();
  }
}
