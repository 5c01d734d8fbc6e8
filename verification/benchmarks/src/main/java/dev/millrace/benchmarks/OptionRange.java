package dev.millrace.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What a whole number on the command line may be. */
record OptionRange(int min, int max) {
  /** Refuses {@code value}, naming the option, unless it is within the range. */
  void require(CommandLine command, String option, int value) {
    if (value < min || value > max) {
      throw new ParameterException(
          command, "%s %d must be from %d to %d".formatted(option, value, min, max));
    }
  }
}
