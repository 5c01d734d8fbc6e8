package dev.millrace.server.lease;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A lease that a caller over the network holds. It ends once: the same end asked for again is
 * answered with the same result, another one is refused. An end that surely wrote nothing can be
 * tried again, and one that expired can still be settled: what the call has cost is charged late
 * rather than never.
 */
final class HeldLease {
  /** Longest life of a lease however often it is extended. */
  static final Duration MAX_LIFE = Duration.ofHours(24);

  private final String id;
  private final String namespace;
  private final AcquireRequest request;
  private final Lease lease;
  private final Instant grantedAt;
  private final OnExpiry onExpiry;
  private final Set<String> furtherLimits = new LinkedHashSet<>();

  private Instant expiresAt;
  private @Nullable Ending ending;
  private @Nullable CompletableFuture<Map<String, Object>> ended;
  private boolean corrected;

  /**
   * What it stood for when it was given back at its expiry: a settlement that is late charges it.
   */
  private Map<String, Map<String, Long>> givenBack = Map.of();

  private @Nullable Future<?> timer;

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

  OnExpiry onExpiry() {
    return onExpiry;
  }

  synchronized Instant expiresAt() {
    return expiresAt;
  }

  /** Notes what waits for its expiry, in place of what did before. */
  synchronized void timer(Future<?> next) {
    timer = next;
  }

  /** Nothing waits for its expiry any more, so that nothing remembers it for that long. */
  synchronized void cancelTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  /** Corrects what it stands for, all amounts or none; written when it ends. */
  synchronized void adjust(@Nullable String resource, Map<String, Long> amounts) {
    requireOpen();
    correct(resource, amounts);
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

  /** What the amounts that were really used differ by. */
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

  /** Takes more, or is refused by a limit. */
  CompletionStage<Void> consume(Map<String, Long> tokens) {
    synchronized (this) {
      requireOpen();
      furtherLimits.addAll(tokens.keySet());
    }
    return lease.consumeAsync(tokens);
  }

  /** Lets it live until {@code ttl} from now. */
  synchronized void extend(Instant now, Duration ttl) {
    requireOpen();
    Instant until = now.plus(ttl).truncatedTo(ChronoUnit.MILLIS);
    if (until.isAfter(grantedAt.plus(MAX_LIFE))) {
      throw new IllegalArgumentException(
          "'ttl' is " + ttl + ", with which the lease would live longer than " + MAX_LIFE);
    }
    expiresAt = until;
  }

  /** The end that somebody asked for and that has not come about, else {@code otherwise}. */
  synchronized Ending endingOr(Ending otherwise) {
    return ending == null ? otherwise : ending;
  }

  /** Ends it; what it came to. */
  synchronized CompletableFuture<Map<String, Object>> end(Ending how) {
    if (ending != null && !ending.equals(how)) {
      if (!isLateSettlement(ending, how)) {
        throw alreadyEnded(ending);
      }
      reopen(how);
    }
    if (ended != null && !ended.isCompletedExceptionally()) {
      return ended;
    }
    prepare(how);
    if (how.how() == Ending.How.EXPIRED_REFUNDED) {
      givenBack = standsFor();
    }
    ending = how;
    CompletableFuture<Map<String, Object>> result =
        (how.how().givesBack() ? lease.cancelAsync() : lease.closeAsync())
            .thenApply(ignored -> view())
            .toCompletableFuture();
    ended = result;
    return result;
  }

  /** Nobody had ended it in time, and now its holder says what the call has cost. */
  private boolean isLateSettlement(Ending before, Ending how) {
    boolean expired =
        before.how() == Ending.How.EXPIRED_KEPT || before.how() == Ending.How.EXPIRED_REFUNDED;
    boolean written = ended != null && ended.isDone() && !ended.isCompletedExceptionally();
    return expired && written && how.how().settles();
  }

  /** Opens it again, with what it stood for, and corrects that. */
  private void reopen(Ending how) {
    lease.reopen();
    try {
      givenBack.forEach(
          (resource, amounts) ->
              amounts.forEach(
                  (limit, amount) ->
                      lease.adjust(resource, limit, amount - lease.consumed(resource, limit))));
      prepare(how);
    } catch (RuntimeException e) {
      givenBack.forEach(
          (resource, amounts) -> amounts.keySet().forEach(limit -> takeBack(resource, limit)));
      var unused = lease.closeAsync(); // with nothing to write: it stays as it had ended
      throw e;
    }
    givenBack = Map.of();
    ended = null;
  }

  private void takeBack(String resource, String limit) {
    if (!lease.isDegraded()) {
      lease.adjust(resource, limit, -lease.consumed(resource, limit));
    }
  }

  private Map<String, Map<String, Long>> standsFor() {
    Map<String, Map<String, Long>> resources = new LinkedHashMap<>();
    for (ResourceAmounts draw : request.draws()) {
      Map<String, Long> amounts = new LinkedHashMap<>();
      limitsOf(draw).forEach(l -> amounts.put(l, lease.consumed(draw.resource(), l)));
      resources.put(draw.resource(), amounts);
    }
    return resources;
  }

  private Set<String> limitsOf(ResourceAmounts draw) {
    Set<String> limits = new LinkedHashSet<>(draw.tokens().keySet());
    if (draw.resource().equals(request.resource())) {
      limits.addAll(furtherLimits);
    }
    return limits;
  }

  /** Corrects once, however often the end is tried. */
  private void prepare(Ending how) {
    if (corrected || how.amounts().isEmpty()) {
      return;
    }
    correct(
        how.resource(),
        how.how() == Ending.How.ACTUAL
            ? differences(how.resource(), how.amounts())
            : how.amounts());
    corrected = true;
  }

  /** Whether nothing more will come of it: it has ended, or it cannot be known. */
  boolean isOver() {
    return lease.state() != LeaseState.OPEN;
  }

  private void requireOpen() {
    if (ending != null) {
      throw alreadyEnded(ending);
    }
  }

  private static ProblemException alreadyEnded(Ending ending) {
    return new ProblemException(
        HttpProblem.of(409, "lease-ended", "The lease has ended otherwise")
            .with("endedAs", ending.how().name())
            .with("state", ending.how().state.name()));
  }

  /** What callers are told. */
  synchronized Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", id);
    view.put("entity", request.entityId());
    view.put("resource", request.resource());
    view.put("state", (ending == null ? Ending.State.OPEN : ending.how().state).name());
    view.put("grantedAt", grantedAt);
    view.put("expiresAt", expiresAt);
    view.put("onExpiry", onExpiry.name());
    view.put("degraded", lease.isDegraded());
    view.put("consumed", consumed());
    return view;
  }

  private Map<String, Object> consumed() {
    Map<String, Object> resources = new LinkedHashMap<>();
    for (ResourceAmounts draw : request.draws()) {
      Map<String, Object> amounts = new LinkedHashMap<>();
      boolean nothing = ending != null && ending.how().givesBack();
      limitsOf(draw)
          .forEach(
              limit -> amounts.put(limit, nothing ? 0 : lease.consumed(draw.resource(), limit)));
      resources.put(draw.resource(), amounts);
    }
    return resources;
  }
}
