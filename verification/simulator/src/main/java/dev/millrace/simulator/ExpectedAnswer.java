package dev.millrace.simulator;

/** What the answer must be, where that is certain beforehand. */
enum ExpectedAnswer {
  /** Nobody can tell. */
  ANYTHING,
  /** The tokens are there, and nobody else wants them. */
  GRANTED,
  /** A millisecond is missing. */
  REFUSED
}
