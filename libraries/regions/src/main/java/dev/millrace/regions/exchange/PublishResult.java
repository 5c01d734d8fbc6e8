package dev.millrace.regions.exchange;

/** The result of publishing a snapshot. */
public sealed interface PublishResult {
  /** It is stored. */
  record Done() implements PublishResult {}

  /** It may or may not be stored. The next one contains everything that this one did. */
  record Failed(String message) implements PublishResult {}
}
