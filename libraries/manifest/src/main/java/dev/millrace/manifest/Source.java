package dev.millrace.manifest;

/** Where it is written down what is wanted. It may be read several times, and says the same. */
public interface Source {
  /**
   * Reads all of it.
   *
   * @throws ManifestException when any of it is wrong; the sink may have heard a part of it
   */
  Header read(Sink sink);
}
