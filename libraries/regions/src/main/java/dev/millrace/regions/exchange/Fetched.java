package dev.millrace.regions.exchange;

import dev.millrace.regions.snapshot.EncodedSnapshot;

/** What there is of another region. Whatever it is, the region goes on with what it has. */
public sealed interface Fetched {
  /** The same as last time. */
  record NotModified() implements Fetched {}

  /** It has not published anything yet. */
  record Missing() implements Fetched {}

  /**
   * Something else than last time. Nothing of it has been checked.
   *
   * @param etag to be given the next time
   */
  record Found(EncodedSnapshot snapshot, String etag) implements Fetched {}

  /** It is larger than anything that would be believed, and was not read. */
  record TooLarge(String message) implements Fetched {}

  /** The other side did not answer as it should. */
  record Failed(String message) implements Fetched {}
}
