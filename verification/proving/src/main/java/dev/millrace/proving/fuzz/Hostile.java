package dev.millrace.proving.fuzz;

/** A request as it goes over the wire. */
final class Hostile {
  private final Kind kind;
  private final byte[] bytes;
  private final boolean ends;

  /**
   * A request.
   *
   * @param kind what sort
   * @param bytes all of it
   * @param ends whether the sender has nothing more to send, and says so
   */
  Hostile(Kind kind, byte[] bytes, boolean ends) {
    this.kind = kind;
    this.bytes = bytes.clone();
    this.ends = ends;
  }

  Kind kind() {
    return kind;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  boolean ends() {
    return ends;
  }
}
