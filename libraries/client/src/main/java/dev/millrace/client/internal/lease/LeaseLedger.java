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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a lease stands for, in one book for each bucket that it draws on. A bucket has a second book
 * when it was drawn from several of its shards, when its limits changed while the lease was open,
 * or when a part of it was charged and another not. An adjustment is one of the bucket, whichever
 * shards its parts come from. Every amount has one writer at a time; nothing here does I/O.
 */
public final class LeaseLedger {
  /** Most that a lease may stand for in a limit of a bucket: any sum of two fits into a long. */
  public static final long MAX_MILLI = 4 * Limit.MAX_TOKENS * Limit.MILLI;

  private final AcquireRequest request;
  private final OnUnavailable policy;
  private final Settlement settlement;
  private final BucketKey key;

  /** The request as it was granted, null when it is not even known which limits there are. */
  private final @Nullable ResolvedRequest resolved;

  /**
   * The first is that of the entity itself for the first resource. Null until it is needed: most
   * leases of which all is charged end without an adjustment.
   */
  private @Nullable List<LegBook> books;

  private final List<LimitStatus> overdrawn;
  private LeaseState state = LeaseState.OPEN;
  private boolean degraded;
  private boolean postponed;

  /** Entries of the end that are not written yet, as far as is known. */
  private int unwritten;

  private LeaseLedger(
      ResolvedRequest resolved, @Nullable List<LegBook> books, List<LimitStatus> overdrawn) {
    this.resolved = resolved;
    this.request = resolved.request();
    this.policy = resolved.policy();
    this.settlement = resolved.settlement();
    this.key = resolved.key();
    this.books = books;
    this.overdrawn = overdrawn;
    this.degraded = books != null && !allCharging(books);
  }

  private LeaseLedger(AcquireRequest request, Settlement settlement, List<LegBook> books) {
    this.resolved = null;
    this.request = request;
    this.policy = OnUnavailable.ALLOW;
    this.settlement = settlement;
    this.key = books.get(0).key();
    this.books = books;
    this.overdrawn = List.of();
    this.degraded = true;
  }

  /** A lease of which every leg was charged. */
  public static LeaseLedger charged(ResolvedRequest resolved, List<LimitStatus> overdrawn) {
    return new LeaseLedger(resolved, /* books= */ null, overdrawn);
  }

  /** A lease of which some legs were not charged, because the store could not be reached. */
  public static LeaseLedger degraded(ResolvedRequest resolved, List<Boolean> charged) {
    return new LeaseLedger(resolved, booksOf(resolved, charged), List.of());
  }

  private static List<LegBook> booksOf(ResolvedRequest resolved, @Nullable List<Boolean> charged) {
    List<Leg> legs = resolved.legs();
    List<LegBook> books = new ArrayList<>(legs.size() + resolved.settleOnly().size());
    for (int i = 0; i < legs.size(); i++) {
      Leg leg = legs.get(i);
      boolean charging = charged == null || charged.get(i);
      books.add(new LegBook(leg.key(), leg.terms(), leg.amounts(), charging));
    }
    boolean any = charged == null || charged.contains(true); // without a charge none is written
    for (Leg leg : resolved.settleOnly()) {
      books.add(LegBook.settleOnly(leg, any));
    }
    return books;
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
    return new LeaseLedger(request, settlement, books);
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
    return books == null || books.stream().anyMatch(LegBook::isCharging);
  }

  private static boolean allCharging(List<LegBook> books) {
    return books.stream().allMatch(LegBook::isCharging);
  }

  private List<LegBook> books() {
    if (books == null) {
      books = booksOf(Objects.requireNonNull(resolved), /* charged= */ null);
    }
    return books;
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
    for (LegBook further : more.books()) {
      add(further);
    }
    degraded |= more.degraded;
    return true;
  }

  private void add(LegBook further) {
    for (LegBook book : books()) {
      if (book.isLike(further)) {
        book.take(further);
        return;
      }
    }
    books().add(further);
  }

  /** Books what was further granted without asking, on a lease that writes nothing. */
  public synchronized void grantUncharged(Map<String, Long> tokens) {
    LegBook own = books().get(0);
    own.grantUncharged(Amounts.ofTokens(own.limits(), tokens));
  }

  public synchronized long consumedMilli(String resource, String limit) {
    requireDrawn(resource);
    BucketKey nearest = nearest(resource, limit);
    requireKnown(resource, limit, nearest != null);
    return nearest == null ? 0 : consumedMilli(nearest, limit);
  }

  private long consumedMilli(BucketKey bucket, String limit) {
    long milli = 0;
    for (LegBook book : books()) {
      if (book.key().isShardOf(bucket) && book.has(limit)) {
        milli += book.consumedMilli(limit);
      }
    }
    return milli;
  }

  /** The entity's own bucket, or that of the nearest ancestor with the limit; null for none. */
  private @Nullable BucketKey nearest(String resource, String limit) {
    BucketKey nearest = null;
    for (LegBook book : books()) {
      if (book.key().resource().equals(resource) && book.has(limit)) {
        if (book.key().entityId().equals(request.entityId())) {
          return book.key();
        }
        nearest = nearest == null ? book.key() : nearest;
      }
    }
    return nearest;
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
    if (nearest(resource, limit) == null) {
      requireKnown(resource, limit, /* known= */ false);
      return; // no bucket has the limit: nothing was taken, and nothing is written
    }
    long consumed = consumedMilli(resource, limit) + deltaTokens * Limit.MILLI;
    if (Math.max(consumed, mostMilliAfter(resource, limit, deltaTokens * Limit.MILLI))
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
    adjustAll(resource, limit, deltaTokens * Limit.MILLI);
  }

  /**
   * Adjusts every bucket of the resource, each in the book that was opened first. What is given
   * back beyond what that one was charged comes out of the next.
   */
  private void adjustAll(String resource, String limit, long deltaMilli) {
    List<BucketKey> done = new ArrayList<>(books().size());
    for (LegBook book : books()) {
      BucketKey bucket = book.key();
      if (bucket.resource().equals(resource)
          && book.has(limit)
          && done.stream().noneMatch(bucket::isShardOf)) {
        done.add(bucket);
        adjust(bucket, limit, deltaMilli);
      }
    }
  }

  private void adjust(BucketKey bucket, String limit, long deltaMilli) {
    long leftMilli = deltaMilli;
    LegBook last = null;
    for (LegBook book : books()) {
      if (book.key().isShardOf(bucket) && book.has(limit) && leftMilli != 0) {
        long partMilli =
            leftMilli > 0 ? leftMilli : Math.max(leftMilli, -book.consumedMilli(limit));
        book.adjust(limit, partMilli);
        leftMilli -= partMilli;
        last = book;
      }
    }
    if (last != null && leftMilli != 0) {
      last.adjust(limit, leftMilli); // an ancestor that joined later was charged less
    }
  }

  /** The most that the lease would stand for in a bucket of the resource, adjusted by so much. */
  private long mostMilliAfter(String resource, String limit, long deltaMilli) {
    long mostMilli = 0;
    for (LegBook book : books()) {
      if (book.key().resource().equals(resource) && book.has(limit)) {
        mostMilli = Math.max(mostMilli, consumedMilli(book.key(), limit) + deltaMilli);
      }
    }
    return mostMilli;
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
          if (mostMilliAfter(request.resource(), limit, milli) > MAX_MILLI) {
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
    if (!known && resolved != null && resource.equals(request.resource())) {
      Amounts.requireIndex(books().get(0).limits(), limit);
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
    if (books == null && ended == LeaseState.SETTLED) {
      return List.of(); // never adjusted
    }
    List<Entry> entries = new ArrayList<>(0);
    for (LegBook book : books()) {
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
