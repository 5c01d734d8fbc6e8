package dev.millrace.regions.exchange;

/** What became of a snapshot that was to be published. */
public sealed interface Published {
  /** It is there. */
  record Done() implements Published {}

  /** It may or may not be there. The next one has everything that this one had. */
  record Failed(String message) implements Published {}
}
