package dev.millrace.worker.letters;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import java.util.List;
import java.util.Optional;

/**
 * Replays letters, one after the other. Letters are few, and one that fails must not keep the
 * others from being told apart.
 */
public final class Replay {
  private final Aggregator aggregator;
  private long letters;
  private long applied;
  private long duplicates;
  private long poison;
  private long unreadable;
  private long ignored;

  /** With an aggregator whose own dead letters go nowhere: they are where they came from. */
  public Replay(Aggregator aggregator) {
    this.aggregator = aggregator;
  }

  /**
   * What became of the letters.
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
  }

  /**
   * Replays all letters of {@code source}.
   *
   * @throws ReplayException when the store fails; what was replayed before need not be undone
   */
  public Result run(LetterSource source, boolean remove) {
    source.forEach(this::replay, remove);
    return new Result(letters, applied, duplicates, ignored, poison, unreadable);
  }

  private boolean replay(String text) {
    letters++;
    Optional<DeadLetter> letter = LetterReader.read(text);
    if (letter.isEmpty()) {
      unreadable++;
      return false;
    }
    BatchResult result = aggregator.replay(List.of(letter.get()));
    if (!result.isDone()) {
      throw new ReplayException(
          "Record %s could not be replayed".formatted(letter.get().record().sequenceNumber()),
          result.failure());
    }
    applied += result.applied();
    duplicates += result.duplicates();
    ignored += result.ignored() + result.archived();
    poison += result.poison();
    return result.poison() == 0;
  }
}
