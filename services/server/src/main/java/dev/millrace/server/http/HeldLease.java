package dev.millrace.server.http;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.server.http.LeaseSettings.OnExpiry;
import dev.millrace.server.json.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a caller over the network holds. It ends once: the same end requested again has the
 * same result, another end is refused. An end that certainly wrote nothing can be retried. A lease
 * that expired can still be settled: the cost of the call is charged late rather than never.
 */
final class HeldLease {
  /** Longest life of a lease, with all extensions. */
  private static final Duration MAX_LIFE = Duration.ofHours(24);

  private final String id;
  private final String namespace;
  private final AcquireRequest request;
  private final Lease lease;
  private final Instant grantedAt;
  private final OnExpiry onExpiry;
  private final Set<String> furtherLimits = new LinkedHashSet<>();

  private Instant expiresAt;
  private @Nullable End end;
  private @Nullable CompletableFuture<View> ended;
  private boolean corrected;

  /** The amounts that an expiry gave back, by resource: a late settlement charges them again. */
  private Map<String, Map<String, Long>> givenBack = Map.of();

  private @Nullable Future<?> timer;

  /** A lease as responses show it. */
  record View(
      String id,
      String entity,
      String resource,
      End.State state,
      Instant grantedAt,
      Instant expiresAt,
      OnExpiry onExpiry,
      boolean degraded,
      Map<String, Map<String, Long>> consumed) {}

  HeldLease(
      String id,
      String namespace,
      AcquireRequest request,
      Lease lease,
      Instant grantedAt,
      Duration ttl,
      OnExpiry onExpiry) {
    this.id = id;
    this.namespace = namespace;
    this.request = request;
    this.lease = lease;
    this.grantedAt = grantedAt.truncatedTo(ChronoUnit.MILLIS);
    this.expiresAt = this.grantedAt.plus(ttl);
    this.onExpiry = onExpiry;
  }

  String id() {
    return id;
  }

  String namespace() {
    return namespace;
  }

  synchronized Instant expiresAt() {
    return expiresAt;
  }

  /** Sets the timer of its expiry, in place of the one before. */
  synchronized void timer(Future<?> next) {
    timer = next;
  }

  /** Cancels the timer, which would keep this in memory until the expiry. */
  synchronized void cancelTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  /** Corrects the consumption, all amounts or none; written when the lease ends. */
  synchronized View adjust(@Nullable String resource, Map<String, Long> amounts) {
    requireOpen();
    correct(resource, amounts);
    return view();
  }

  private void correct(@Nullable String resource, Map<String, Long> amounts) {
    String of = resource == null ? request.resource() : resource;
    amounts.forEach((limit, delta) -> requirePossible(limit, lease.consumed(of, limit), delta));
    amounts.forEach((limit, delta) -> lease.adjust(of, limit, delta));
  }

  /** Checked for all amounts before the first is applied. */
  private static void requirePossible(String limit, long consumed, long delta) {
    if (delta < -Limit.MAX_TOKENS || delta > Limit.MAX_TOKENS - consumed) {
      throw new IllegalArgumentException(
          "limit '%s': adjustment %d must be from -%d on, and leave at most %d consumed"
              .formatted(limit, delta, Limit.MAX_TOKENS, Limit.MAX_TOKENS));
    }
    if (consumed + delta < 0) {
      throw new IllegalArgumentException(
          "limit '%s': adjustment %d would leave the lease with %d consumed: no more can be given back than was taken"
              .formatted(limit, delta, consumed + delta));
    }
  }

  /** The differences of the real use from the consumption. */
  private Map<String, Long> differences(@Nullable String resource, Map<String, Long> actual) {
    String of = resource == null ? request.resource() : resource;
    Map<String, Long> differences = new LinkedHashMap<>();
    actual.forEach(
        (limit, amount) -> {
          if (amount < 0) {
            throw new IllegalArgumentException(
                "limit '%s': actual amount %d must not be negative".formatted(limit, amount));
          }
          differences.put(limit, amount - lease.consumed(of, limit));
        });
    return differences;
  }

  /** Consumes more, or is refused by a limit. */
  CompletableFuture<View> consume(Map<String, Long> tokens) {
    synchronized (this) {
      requireOpen();
      furtherLimits.addAll(tokens.keySet());
    }
    return lease.consumeAsync(tokens).thenApply(ignored -> view()).toCompletableFuture();
  }

  /** Moves the expiry to {@code ttl} from now. */
  synchronized View extend(Instant now, Duration ttl) {
    requireOpen();
    Instant until = now.plus(ttl).truncatedTo(ChronoUnit.MILLIS);
    if (until.isAfter(grantedAt.plus(MAX_LIFE))) {
      throw new IllegalArgumentException(
          "'ttl' is " + ttl + ", with which the lease would live longer than " + MAX_LIFE);
    }
    expiresAt = until;
    return view();
  }

  /** The end that was requested and has not completed, else the one of its expiry. */
  synchronized End endOrExpiry() {
    return endOr(onExpiry, End.Kind.EXPIRED_KEPT, End.Kind.EXPIRED_REFUNDED);
  }

  /** The end that was requested and has not completed, else {@code kept} or {@code refunded}. */
  synchronized End endOr(OnExpiry choice, End.Kind kept, End.Kind refunded) {
    return end == null ? End.of(choice == OnExpiry.KEEP ? kept : refunded) : end;
  }

  synchronized CompletableFuture<View> end(End requested) {
    if (end != null && !end.equals(requested)) {
      if (!isLateSettlement(end, requested)) {
        throw alreadyEnded(end);
      }
      reopen(requested);
    }
    if (ended != null && !ended.isCompletedExceptionally()) {
      return ended;
    }
    prepare(requested);
    if (requested.kind() == End.Kind.EXPIRED_REFUNDED) {
      givenBack = consumed(false);
    }
    end = requested;
    CompletableFuture<View> result =
        (requested.kind().givesBack() ? lease.cancelAsync() : lease.closeAsync())
            .thenApply(ignored -> view())
            .toCompletableFuture();
    ended = result;
    return result;
  }

  /** Whether the lease expired, and its holder now states the cost of the call. */
  private boolean isLateSettlement(End before, End requested) {
    boolean written = ended != null && ended.isDone() && !ended.isCompletedExceptionally();
    return before.kind().expires() && written && requested.kind().settles();
  }

  /** Opens the lease again with the amounts that its expiry gave back, and corrects them. */
  private void reopen(End requested) {
    lease.reopen();
    try {
      givenBack.forEach(
          (resource, amounts) ->
              amounts.forEach(
                  (limit, amount) ->
                      lease.adjust(resource, limit, amount - lease.consumed(resource, limit))));
      prepare(requested);
    } catch (RuntimeException e) {
      if (!lease.isDegraded()) {
        givenBack.forEach(
            (resource, amounts) ->
                amounts
                    .keySet()
                    .forEach(
                        limit -> lease.adjust(resource, limit, -lease.consumed(resource, limit))));
      }
      var unused = lease.closeAsync(); // with nothing to write: it stays as it had ended
      throw e;
    }
    givenBack = Map.of();
    ended = null;
  }

  /** Corrects once, however often the end is retried. */
  private void prepare(End requested) {
    if (corrected || requested.amounts().isEmpty()) {
      return;
    }
    correct(
        requested.resource(),
        requested.kind() == End.Kind.ACTUAL
            ? differences(requested.resource(), requested.amounts())
            : requested.amounts());
    corrected = true;
  }

  /** Whether the lease has ended, or its outcome cannot be known. */
  boolean isOver() {
    return lease.state() != LeaseState.OPEN;
  }

  private void requireOpen() {
    if (end != null) {
      throw alreadyEnded(end);
    }
  }

  private static ProblemException alreadyEnded(End end) {
    return ProblemException.of(409, "lease-ended", "The lease has ended otherwise")
        .with("endedAs", end.kind().name())
        .with("state", end.kind().state.name());
  }

  /** The lease as responses show it. */
  synchronized View view() {
    return new View(
        id,
        request.entityId(),
        request.resource(),
        end == null ? End.State.OPEN : end.kind().state,
        grantedAt,
        expiresAt,
        onExpiry,
        lease.isDegraded(),
        consumed(end != null && end.kind().givesBack()));
  }

  private Map<String, Map<String, Long>> consumed(boolean nothing) {
    Map<String, Map<String, Long>> resources = new LinkedHashMap<>();
    for (ResourceAmounts draw : request.draws()) {
      Set<String> limits = new LinkedHashSet<>(draw.tokens().keySet());
      if (draw.resource().equals(request.resource())) {
        limits.addAll(furtherLimits);
      }
      Map<String, Long> amounts = new LinkedHashMap<>();
      limits.forEach(
          limit -> amounts.put(limit, nothing ? 0 : lease.consumed(draw.resource(), limit)));
      resources.put(draw.resource(), amounts);
    }
    return resources;
  }

  /**
   * The end of a lease. Two that are equal are the same end, requested twice.
   *
   * @param amounts corrections, or the real use, by limit; empty for none
   * @param resource the resource of the amounts, null for the first
   */
  record End(Kind kind, Map<String, Long> amounts, @Nullable String resource) {
    /** The kinds of ends. */
    enum Kind {
      /** Settled, corrected by the amounts. */
      ADJUSTED(State.SETTLED),
      /** Settled, with the amounts as the real use. */
      ACTUAL(State.SETTLED),
      /** Given back. */
      RELEASED(State.RELEASED),
      /** Expired, and the charge stands. */
      EXPIRED_KEPT(State.EXPIRED),
      /** Expired, and given back. */
      EXPIRED_REFUNDED(State.EXPIRED),
      /** Open when the server stopped, and the charge stands. */
      DRAINED_KEPT(State.SETTLED),
      /** Open when the server stopped, and given back. */
      DRAINED_REFUNDED(State.RELEASED);

      final State state;

      Kind(State state) {
        this.state = state;
      }

      /** Whether the holder states the cost of the call. */
      boolean settles() {
        return this == ADJUSTED || this == ACTUAL;
      }

      boolean expires() {
        return state == State.EXPIRED;
      }

      boolean givesBack() {
        return this == RELEASED || this == EXPIRED_REFUNDED || this == DRAINED_REFUNDED;
      }
    }

    /** The state of a lease in responses. */
    enum State {
      OPEN,
      SETTLED,
      RELEASED,
      EXPIRED
    }

    End {
      amounts = Map.copyOf(amounts);
    }

    static End of(Kind kind) {
      return new End(kind, Map.of(), null);
    }
  }
}
