package dev.millrace.regions.exchange;

/** The result of publishing a snapshot. */
public sealed interface Published {
  /** It is stored. */
  record Done() implements Published {}

  /** It may or may not be stored. The next one contains everything that this one did. */
  record Failed(String message) implements Published {}
}
