package dev.millrace.core.spi.store;

import dev.millrace.BucketKey;
import dev.millrace.LimiterEvent.RoundTrip;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call to a store: one round trip each, as long as nothing is throttled. */
public sealed interface StoreCall {
  /** Whether it may change anything, so that a lost answer leaves a question behind. */
  boolean writes();

  /** The sort of call, for events, metrics and traces. */
  default RoundTrip.Operation operation() {
    if (this instanceof Write) {
      return RoundTrip.Operation.WRITE;
    }
    if (this instanceof Transaction) {
      return RoundTrip.Operation.TRANSACTION;
    }
    if (this instanceof Lookup) {
      return RoundTrip.Operation.LOOKUP;
    }
    if (this instanceof ListPage) {
      return RoundTrip.Operation.LIST;
    }
    return this instanceof Erase ? RoundTrip.Operation.ERASE : RoundTrip.Operation.READ;
  }

  /** Reads a bucket, strongly consistent. Answered with {@link StoreReply.Found}. */
  record Read(BucketKey key) implements StoreCall {
    @Override
    public boolean writes() {
      return false;
    }
  }

  /**
   * Reads many buckets, strongly consistent. Answered with {@link StoreReply.FoundAll}, complete or
   * not at all.
   *
   * @param keys at most {@link #MAX_KEYS}, each once
   */
  record ReadAll(List<BucketKey> keys) implements StoreCall {
    /** Most buckets of one call. */
    public static final int MAX_KEYS = 100;

    /** Keeps the keys as they are now. */
    public ReadAll {
      keys = List.copyOf(keys);
    }

    @Override
    public boolean writes() {
      return false;
    }
  }

  /** Writes a bucket as planned. Answered with Applied or Refused. */
  record Write(WritePlan plan) implements StoreCall {
    /** A shard is taken away only together with the one that takes over its share. */
    public Write {
      if (plan instanceof WritePlan.Remove) {
        throw new IllegalArgumentException(plan + " must be part of a transaction");
      }
    }

    /** Which bucket. */
    public BucketKey key() {
      return plan.key();
    }

    @Override
    public boolean writes() {
      return true;
    }
  }

  /**
   * Writes several buckets and records, all or none. Answered with {@link StoreReply.Committed} or
   * {@link StoreReply.Cancelled}. The same transaction may be sent again with the same token: it is
   * made once.
   *
   * @param plans each of another bucket
   * @param changes each of another record; together at most {@link #MAX_ACTIONS}
   * @param token tells this transaction from all others
   */
  record Transaction(List<WritePlan> plans, List<RecordChange> changes, String token)
      implements StoreCall {
    /** Most writes of one transaction. */
    public static final int MAX_ACTIONS = 100;

    /** Longest token. */
    public static final int MAX_TOKEN = 36;

    /** Checks the size. */
    public Transaction {
      plans = List.copyOf(plans);
      changes = List.copyOf(changes);
      int actions = plans.size() + changes.size();
      if (actions < 1 || actions > MAX_ACTIONS) {
        throw new IllegalArgumentException(
            "a transaction of " + actions + " writes must have from 1 to " + MAX_ACTIONS);
      }
      if (token.isEmpty() || token.length() > MAX_TOKEN) {
        throw new IllegalArgumentException(
            "token '" + token + "' must have from 1 to " + MAX_TOKEN + " characters");
      }
    }

    @Override
    public boolean writes() {
      return true;
    }
  }

  /**
   * Reads records. Answered with {@link StoreReply.Records}, complete or not at all: a record that
   * could not be read must not look like one that is not there.
   *
   * @param keys at most {@link #MAX_KEYS}, each once
   * @param consistent whether what was written before must be seen, at twice the cost
   */
  record Lookup(List<RecordKey> keys, boolean consistent) implements StoreCall {
    /** Most records of one call. */
    public static final int MAX_KEYS = 100;

    /** Keeps the keys as they are now. */
    public Lookup {
      keys = List.copyOf(keys);
    }

    @Override
    public boolean writes() {
      return false;
    }
  }

  /**
   * Lists a page. Answered with {@link StoreReply.Page}; an empty page may have a next one.
   *
   * @param pageSize how many are looked at
   * @param cursor where the last page ended, null at the beginning
   */
  record ListPage(Listing listing, int pageSize, @Nullable String cursor) implements StoreCall {
    @Override
    public boolean writes() {
      return false;
    }
  }

  /**
   * Deletes buckets and items, whatever is in them. Answered with {@link StoreReply.Erased}; what
   * is not there is no failure, so it may be sent again.
   *
   * @param buckets together with the items at most {@link #MAX_ITEMS}, each once
   */
  record Erase(List<BucketKey> buckets, List<ItemAddress> items) implements StoreCall {
    /** Most items of one call. */
    public static final int MAX_ITEMS = 25;

    /** Keeps the keys as they are now. */
    public Erase {
      buckets = List.copyOf(buckets);
      items = List.copyOf(items);
    }

    @Override
    public boolean writes() {
      return true;
    }
  }
}
