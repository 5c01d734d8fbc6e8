package dev.millrace.simulator.mutation;

import dev.millrace.simulator.oracle.Promise;
import org.jspecify.annotations.Nullable;

/**
 * The result for a mutant.
 *
 * @param seeds how many histories were played, 0 when a test was run instead
 * @param promise the one that was broken in the last of them, null when none was
 * @param failedTest the test that failed, null when none did
 * @param message what happened, empty when nothing did
 */
public record MutantVerdict(
    Mutant mutant,
    long seeds,
    @Nullable Promise promise,
    @Nullable String failedTest,
    String message) {
  /** What a campaign made of it. */
  static MutantVerdict ofCampaign(
      Mutant mutant, long seeds, @Nullable Promise promise, String message) {
    return new MutantVerdict(mutant, seeds, promise, /* failedTest= */ null, message);
  }

  /** What its named test made of it. */
  static MutantVerdict ofTest(Mutant mutant, @Nullable String failedTest, String message) {
    return new MutantVerdict(mutant, /* seeds= */ 0, /* promise= */ null, failedTest, message);
  }

  /** Whether a promise was broken or the named test failed. */
  public boolean isCaught() {
    return promise != null || failedTest != null;
  }

  /** Whether it was caught as the list says: by one of its promises, or by its test. */
  public boolean isAsExpected() {
    return mutant.catcher() instanceof Catcher.Seeds seeds
        ? promise != null && seeds.breaks().contains(promise)
        : failedTest != null;
  }

  /** In a few words. */
  public String summary() {
    if (mutant.catcher() instanceof Catcher.NamedTest test) {
      return failedTest == null ? "NOT CAUGHT by " + test : "caught by " + failedTest;
    }
    return isCaught()
        ? "caught after " + seeds + " seeds by " + promise
        : "NOT CAUGHT within " + seeds + " seeds";
  }
}
