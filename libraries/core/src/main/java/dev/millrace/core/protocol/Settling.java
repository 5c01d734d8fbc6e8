package dev.millrace.core.protocol;

import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.CommitResult.Trace;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.StoreFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settlements of a batch, written by themselves because the others' demands are not. */
final class Settling {
  private final Batch batch;
  private final Settle settle;

  Settling(Batch batch, Settle settle) {
    this.batch = batch;
    this.settle = settle;
  }

  /**
   * Settles what is to be settled: no balance can refuse that.
   *
   * @param decided what the others are answered
   * @param failure why those who would have been admitted are not, null when there are none
   */
  Step<CommitResult> apart(
      List<Outcome> decided,
      @Nullable Sighting sighting,
      Trace trace,
      @Nullable StoreFailure failure,
      long nowMs) {
    Amounts amounts = batch.settledSum();
    if (amounts.isEmpty()) {
      Settle.Result nothing = new Settle.Result(null, sighting, /* unknownOutcomes= */ 0);
      return new Step.Done<>(result(nothing, trace, failure, decided));
    }
    return Step.map(
        settle.start(amounts, batch.chargedSum(), sighting, nowMs),
        settled -> result(settled, trace, failure, decided));
  }

  /** What an unknown write may not have written: the charges of settlements, once more. */
  Step<CommitResult> again(
      List<Outcome> decided,
      StoreFailure lost,
      @Nullable Sighting sighting,
      Trace trace,
      long nowMs) {
    Amounts charges = batch.chargedSum();
    if (charges.isEmpty()) {
      List<Outcome> outcomes = batch.failed(decided, lost, /* mayBeCharged= */ true);
      return new Step.Done<>(new CommitResult(outcomes, sighting, trace));
    }
    return Step.map(
        settle.again(charges, lost, sighting, nowMs),
        settled -> result(settled, trace, lost, decided));
  }

  private CommitResult result(
      Settle.Result settled, Trace trace, @Nullable StoreFailure failure, List<Outcome> decided) {
    Trace ended = trace;
    for (int i = trace.unknownOutcomes(); i < settled.unknownOutcomes(); i++) {
      ended = ended.withUnknownOutcome();
    }
    return new CommitResult(
        batch.settled(decided, settled, failure),
        settled.sighting(),
        ended,
        Load.NONE,
        settled.uncertain());
  }
}
