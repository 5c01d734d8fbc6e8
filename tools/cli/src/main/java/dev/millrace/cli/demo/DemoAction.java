package dev.millrace.cli.demo;

import dev.millrace.Rejection;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that a step did and what came of it.
 *
 * @param verb what was done
 * @param amounts how much of which limit
 * @param answer what came of it
 * @param remark in plain words, why so
 * @param waitedMs how long it waited, for a wait
 * @param balances the limits as this left them in the store; empty when nothing was written
 * @param rejection how every limit stood, when it was refused
 * @param calls the kinds of the store calls that it took
 * @param units what these cost
 */
public record DemoAction(
    String verb,
    Map<String, Long> amounts,
    Answer answer,
    String remark,
    long waitedMs,
    List<LimitState> balances,
    Optional<Rejection> rejection,
    List<String> calls,
    Units units) {

  /** What can come of an action. */
  public enum Answer {
    ADMITTED,
    REFUSED,
    SETTLED,
    WAITED
  }

  /** What calls to the store cost: requests sent, and capacity units. */
  public record Units(int roundTrips, double readUnits, double writeUnits, double indexWriteUnits) {
    /** Nothing was asked of the store. */
    static final Units NONE = new Units(0, 0, 0, 0);

    static final Units ONE_READ = new Units(1, 1, 0, 0);

    /** One write, and no index: a warm acquire, or a settlement. */
    static final Units ONE_WRITE = new Units(1, 0, 1, 0);

    /** A read that finds no bucket, and its creation with the keys of two indexes. */
    static final Units CREATION = new Units(2, 1, 1, 2);

    static Units total(List<DemoAction> actions) {
      return actions.stream().map(DemoAction::units).reduce(NONE, Units::plus);
    }

    Units plus(Units other) {
      return new Units(
          roundTrips + other.roundTrips,
          readUnits + other.readUnits,
          writeUnits + other.writeUnits,
          indexWriteUnits + other.indexWriteUnits);
    }
  }
}
