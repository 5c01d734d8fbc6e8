package dev.millrace.worker.letters;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.worker.WorkerException;
import java.util.List;
import java.util.Optional;

/** A replay of dead letters, one after the other, so that each has its own result. */
public final class Replay {
  private final Aggregator aggregator;
  private Result total = new Result(0, 0, 0, 0, 0, 0);

  /** With an aggregator that drops its own dead letters: the letters stay where they are. */
  public Replay(Aggregator aggregator) {
    this.aggregator = aggregator;
  }

  /**
   * The results of letters.
   *
   * @param applied added to usage now
   * @param duplicates had been replayed before
   * @param ignored are understood now and of no interest
   * @param poison are still not understood
   * @param unreadable are no letters
   */
  public record Result(
      long letters, long applied, long duplicates, long ignored, long poison, long unreadable) {
    /** Whether nothing is left to do. */
    public boolean isComplete() {
      return poison + unreadable == 0;
    }

    private Result plus(Result other) {
      return new Result(
          letters + other.letters,
          applied + other.applied,
          duplicates + other.duplicates,
          ignored + other.ignored,
          poison + other.poison,
          unreadable + other.unreadable);
    }
  }

  /**
   * Replays all letters of {@code source}.
   *
   * @throws WorkerException when the store fails; what was replayed before need not be undone
   */
  public Result run(LetterSource source, boolean remove) {
    source.forEach(this::replay, remove);
    return total;
  }

  private boolean replay(String text) {
    Optional<DeadLetter> letter = LetterReader.read(text);
    Result result = letter.map(this::replay).orElse(new Result(1, 0, 0, 0, 0, 1));
    total = total.plus(result);
    return result.isComplete();
  }

  private Result replay(DeadLetter letter) {
    BatchResult batch = aggregator.replay(List.of(letter));
    Throwable failure = batch.failure();
    if (!batch.isDone()) {
      throw new WorkerException(
          "Record %s could not be replayed%s"
              .formatted(
                  letter.record().sequenceNumber(),
                  failure == null ? "" : ": " + failure.getMessage()),
          failure);
    }
    return new Result(
        1,
        batch.applied(),
        batch.duplicates(),
        batch.ignored() + batch.archived(),
        batch.poison(),
        0);
  }
}
