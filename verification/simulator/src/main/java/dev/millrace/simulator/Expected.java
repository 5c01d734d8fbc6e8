package dev.millrace.simulator;

/** The answer to a request, where it is certain beforehand. */
enum Expected {
  /** Nobody can tell. */
  ANYTHING,
  /** The tokens are there, and nobody else wants them. */
  GRANTED,
  /** A millisecond is missing. */
  REFUSED
}
