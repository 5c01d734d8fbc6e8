package dev.millrace.cli.demo;

import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.decision.Rejection;
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
public record Action(
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
    /** The request was charged. */
    ADMITTED,
    /** A limit refused the request. */
    REFUSED,
    /** The difference was charged. */
    SETTLED,
    /** The time has passed. */
    WAITED
  }
}
