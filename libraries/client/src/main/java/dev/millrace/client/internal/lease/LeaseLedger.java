package dev.millrace.client.internal.lease;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The books of one lease, one for each bucket that it draws on. Every amount has one writer at a
 * time; nothing here does I/O.
 */
public final class LeaseLedger {
  /** Most that a lease may stand for in a limit of a bucket: any sum of two fits into a long. */
  public static final long MAX_MILLI = 4 * Limit.MAX_TOKENS * Limit.MILLI;

  private final AcquireRequest request;
  private final OnUnavailable policy;
  private final Settlement settlement;
  private final BucketKey key;

  private final LegBookList books;

  /** Whether it is known which limits there are. */
  private final boolean resolved;

  private final List<LimitStatus> overdrawn;
  private LeaseState state = LeaseState.OPEN;
  private boolean degraded;
  private boolean postponed;

  /** Entries of the end that are not written yet, as far as is known. */
  private int unwritten;

  private LeaseLedger(
      AcquireRequest request,
      OnUnavailable policy,
      Settlement settlement,
      List<LegBook> books,
      List<LimitStatus> overdrawn,
      boolean resolved) {
    this.resolved = resolved;
    this.request = request;
    this.policy = policy;
    this.settlement = settlement;
    this.books = new LegBookList(request.entityId(), books);
    this.key = this.books.first().key();
    this.overdrawn = overdrawn;
    this.degraded = !this.books.allCharging();
  }

  /** A lease of which every leg was charged. */
  public static LeaseLedger charged(ResolvedRequest prepared, List<LimitStatus> overdrawn) {
    List<LegBook> books = new ArrayList<>(prepared.legs().size() + prepared.settleOnly().size());
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      books.add(new LegBook(leg.key(), leg.terms(), leg.amounts(), /* charging= */ true));
    }
    addSettleOnly(books, prepared, /* charging= */ true);
    return of(prepared, books, overdrawn);
  }

  /** A lease of which some legs were not charged, because the store could not be reached. */
  public static LeaseLedger degraded(ResolvedRequest prepared, List<Boolean> charged) {
    List<LegBook> books = new ArrayList<>(prepared.legs().size() + prepared.settleOnly().size());
    for (int i = 0; i < prepared.legs().size(); i++) {
      Leg leg = prepared.legs().get(i);
      books.add(new LegBook(leg.key(), leg.terms(), leg.amounts(), charged.get(i)));
    }
    addSettleOnly(books, prepared, charged.contains(true)); // without any charge none is written
    return of(prepared, books, List.of());
  }

  private static void addSettleOnly(
      List<LegBook> books, ResolvedRequest prepared, boolean charging) {
    for (int i = 0; i < prepared.settleOnly().size(); i++) {
      books.add(LegBook.settleOnly(prepared.settleOnly().get(i), charging));
    }
  }

  private static LeaseLedger of(
      ResolvedRequest prepared, List<LegBook> books, List<LimitStatus> overdrawn) {
    return new LeaseLedger(
        prepared.request(),
        prepared.policy(),
        prepared.settlement(),
        books,
        overdrawn,
        /* resolved= */ true);
  }

  /**
   * A lease that was granted without even knowing the limits. Nothing of it is ever written, so any
   * limits of the right names will do.
   */
  public static LeaseLedger unresolved(
      AcquireRequest request, String namespace, Settlement settlement) {
    List<LegBook> books = new ArrayList<>();
    for (ResourceAmounts draw : request.draws()) {
      LimitSet limits = draw.limits() == null ? named(draw) : draw.limits();
      BucketKey key = BucketKey.first(namespace, request.entityId(), draw.resource());
      books.add(
          new LegBook(
              key, EffectiveLimits.ofCall(limits), draw.amountsOf(limits), /* charging= */ false));
    }
    return new LeaseLedger(
        request, OnUnavailable.ALLOW, settlement, books, List.of(), /* resolved= */ false);
  }

  private static LimitSet named(ResourceAmounts draw) {
    return LimitSet.of(draw.tokens().keySet().stream().map(n -> Limit.perMinute(n, 1)).toList());
  }

  public BucketKey key() {
    return key;
  }

  public OnUnavailable policy() {
    return policy;
  }

  public Settlement settlement() {
    return settlement;
  }

  /** The request that the lease began with. */
  public AcquireRequest request() {
    return request;
  }

  public List<LimitStatus> overdrawn() {
    return overdrawn;
  }

  public synchronized LeaseState state() {
    return state;
  }

  public synchronized boolean isDegraded() {
    return degraded;
  }

  /** Whether anything that this lease does is to be written. */
  public synchronized boolean isCharging() {
    return books.anyCharging();
  }

  public synchronized void requireOpen() {
    if (state != LeaseState.OPEN) {
      throw new IllegalStateException(
          "the lease of " + key + " has ended: it is " + state + ", only an open one can be used");
    }
  }

  /** Books what was further granted; false when the lease was cancelled and must give it back. */
  public synchronized boolean add(LeaseLedger more) {
    if (state == LeaseState.CANCELLED) {
      return false;
    }
    books.addAll(more.books);
    degraded |= !more.books.allCharging();
    return true;
  }

  /** Books what was further granted without asking, on a lease that writes nothing. */
  public synchronized void grantUncharged(Map<String, Long> tokens) {
    LegBook own = books.first();
    own.grantUncharged(Amounts.ofTokens(own.limits(), tokens));
  }

  public synchronized long consumedMilli(String resource, String limit) {
    requireDrawn(resource);
    BucketKey nearest = books.nearest(resource, limit);
    requireKnown(resource, limit, nearest != null);
    return nearest == null ? 0 : books.consumedMilli(nearest, limit);
  }

  public synchronized void adjust(String resource, String limit, long deltaTokens) {
    requireOpen();
    requireDrawn(resource);
    if (Math.abs(deltaTokens) > Limit.MAX_TOKENS || deltaTokens == Long.MIN_VALUE) {
      throw new IllegalArgumentException(
          "limit '"
              + limit
              + "': adjustment "
              + deltaTokens
              + " must be from -"
              + Limit.MAX_TOKENS
              + " to "
              + Limit.MAX_TOKENS);
    }
    if (books.nearest(resource, limit) == null) {
      requireKnown(resource, limit, /* known= */ false);
      return; // no bucket has the limit: nothing was taken, and nothing is written
    }
    long consumed = consumedMilli(resource, limit) + deltaTokens * Limit.MILLI;
    if (Math.max(consumed, books.mostMilliAfter(resource, limit, deltaTokens * Limit.MILLI))
        > MAX_MILLI) {
      throw tooMuch(limit, "adjustment " + deltaTokens);
    }
    if (consumed < 0) {
      throw new IllegalArgumentException(
          "limit '"
              + limit
              + "': adjustment "
              + deltaTokens
              + " would leave the lease with "
              + Limit.tokens(consumed)
              + " consumed: no more can be given back than was taken");
    }
    books.adjustAll(resource, limit, deltaTokens * Limit.MILLI);
  }

  /**
   * Checks that what is to be consumed beside does not make it stand for more than a lease can.
   *
   * @param tokens by limit of the first resource
   */
  public synchronized void requireRoom(Map<String, Long> tokens) {
    tokens.forEach(
        (limit, amount) -> {
          long milli = Math.min(amount, Limit.MAX_TOKENS) * Limit.MILLI;
          if (books.mostMilliAfter(request.resource(), limit, milli) > MAX_MILLI) {
            throw tooMuch(limit, "amount " + amount);
          }
        });
  }

  private static IllegalArgumentException tooMuch(String limit, String what) {
    return new IllegalArgumentException(
        "limit '"
            + limit
            + "': "
            + what
            + " would make the lease stand for more than "
            + Limit.tokens(MAX_MILLI)
            + " tokens, the most that a lease can");
  }

  private void requireDrawn(String resource) {
    for (ResourceAmounts draw : request.draws()) {
      if (draw.resource().equals(resource)) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "resource '" + resource + "' is not one of the lease's: " + request);
  }

  /** A further resource need not have a limit; the first must, as far as its limits are known. */
  private void requireKnown(String resource, String limit, boolean known) {
    if (!known && resolved && resource.equals(request.resource())) {
      Amounts.requireIndex(books.first().limits(), limit);
    }
  }

  /**
   * Ends the lease well.
   *
   * @return what is to be written, perhaps nothing
   */
  public synchronized List<Entry> close() {
    return end(LeaseState.SETTLED);
  }

  /** Takes the lease back; what is to be written, perhaps nothing. */
  public synchronized List<Entry> cancel() {
    return end(LeaseState.CANCELLED);
  }

  private List<Entry> end(LeaseState ended) {
    if (state != LeaseState.OPEN) {
      return List.of();
    }
    state = ended;
    List<Entry> entries = new ArrayList<>(0);
    for (LegBook book : books.all()) {
      Amounts amounts = ended == LeaseState.SETTLED ? book.toSettle() : book.toRefund();
      if (amounts != null) {
        entries.add(new Entry(book, amounts));
      }
    }
    unwritten = entries.size();
    return entries;
  }

  /** Notes the shard that an entry is written to, of a bucket from which nothing was taken. */
  public synchronized void draw(Entry entry, BucketKey shard) {
    entry.book.draw(shard);
  }

  /** Notes that an entry was written, or may have been. */
  public synchronized void wrote(Entry entry) {
    unwritten--;
    if (state == LeaseState.CANCELLED) {
      entry.book.gaveBack(entry.amounts);
    } else {
      entry.book.wrote(entry.amounts);
    }
  }

  /** Notes that the limiter has taken an entry over, to write it later. */
  public synchronized void postponed(Entry entry) {
    postponed = true;
    wrote(entry);
  }

  public synchronized boolean isPostponed() {
    return postponed;
  }

  /** Takes an end back that is written, because more has become known. */
  public synchronized void reopenEnded() {
    if (unwritten > 0) {
      throw new IllegalStateException(
          "the lease of " + key + " is " + state + ", and that is not written yet");
    }
    state = LeaseState.OPEN;
  }

  /** Takes the end back: surely something was not written, so that it can be tried again. */
  public synchronized void reopen() {
    unwritten = 0;
    state = LeaseState.OPEN;
  }

  /** What is to be written into one bucket when the lease ends. */
  public record Entry(LegBook book, Amounts amounts) {
    public EffectiveLimits terms() {
      return book.terms();
    }
  }
}
