package dev.millrace.core.spi.usage;

import dev.millrace.NameRules;
import java.util.Map;

/**
 * An addition to one item of usage, all of it or nothing. The item is made when there is none.
 *
 * @param addMilli millitokens by limit; less than zero for what was given back
 * @param events in how many records something was consumed or given back
 * @param guard what must hold, so that nothing is added twice
 * @param expiresAtSeconds until when the item is kept, {@link #NEVER} for always
 */
public record UsageWrite(
    UsageKey key, Map<String, Long> addMilli, long events, Guard guard, long expiresAtSeconds) {
  /** Not until any time. */
  public static final long NEVER = 0;

  /** Most limits of one write: all of them are in one expression. */
  public static final int MAX_LIMITS = 64;

  /** Most bucket shards of one write, for the same reason. */
  public static final int MAX_SHARDS = 32;

  /**
   * Stands for the bucket's shard where the bucket is of a table from before there were shards. Its
   * records have an order of their own.
   */
  public static final int BEFORE_SHARDS = -1;

  /** Checks the names and the sizes, and keeps the amounts as they are now. */
  public UsageWrite {
    addMilli = Map.copyOf(addMilli);
    addMilli.keySet().forEach(NameRules::requireLimitName);
    if (addMilli.size() > MAX_LIMITS) {
      throw new IllegalArgumentException(
          addMilli.size() + " limits in one write, at most " + MAX_LIMITS + " fit");
    }
    if (events < 0 || expiresAtSeconds < 0) {
      throw new IllegalArgumentException(
          "events " + events + " and expiry " + expiresAtSeconds + " must not be below zero");
    }
  }

  /** The condition that makes a write happen at most once. */
  public sealed interface Guard {}

  /**
   * Records in the order of a stream: refused when one of them was applied already. For each bucket
   * shard the item must not have seen anything of that stream as late as the first record; it has
   * seen the last one afterwards. A mark without a stream's name counts for the first stream that
   * adds records of its shard, and is gone then.
   *
   * @param stream the label of the stream, or {@link UsageSource#UNNAMED}
   * @param runs by bucket shard, or {@link #BEFORE_SHARDS}
   */
  public record InOrder(String stream, Map<Integer, Run> runs) implements Guard {
    /** Records of a stream without a name. */
    public InOrder(Map<Integer, Run> runs) {
      this(UsageSource.UNNAMED, runs);
    }

    /** Keeps the runs as they are now. */
    public InOrder {
      runs = Map.copyOf(runs);
      if (runs.isEmpty() || runs.size() > MAX_SHARDS) {
        throw new IllegalArgumentException(
            runs.size() + " bucket shards in one write, must be from 1 to " + MAX_SHARDS);
      }
      for (int shard : runs.keySet()) {
        var unused = new UsageSource(stream, shard); // checks both
      }
    }
  }

  /**
   * Records of one bucket shard that follow each other.
   *
   * @param first the number of the first of them
   * @param last the number of the last of them
   */
  public record Run(SequenceNumber first, SequenceNumber last) {
    /** Checks the order. */
    public Run {
      if (first.isAfter(last)) {
        throw new IllegalArgumentException("run from " + first + " to " + last);
      }
    }
  }

  /**
   * One record that was put aside when it was its turn: later ones were applied meanwhile, so it
   * leaves a mark of its own. Refused when the mark is there, with the stream's name or without.
   *
   * @param stream the label of its stream, or {@link UsageSource#UNNAMED}
   */
  public record Late(String stream, SequenceNumber number) implements Guard {
    /** A record of a stream without a name. */
    public Late(SequenceNumber number) {
      this(UsageSource.UNNAMED, number);
    }

    /** Checks the label. */
    public Late {
      UsageSource.requireStream(stream);
    }
  }
}
