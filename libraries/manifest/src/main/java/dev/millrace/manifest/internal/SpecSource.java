package dev.millrace.manifest.internal;

import dev.millrace.manifest.ManifestException;

/** A desired state. It may be read several times, with the same result. */
public interface SpecSource {
  /**
   * Reads all of it.
   *
   * @throws ManifestException when any of it is invalid; the sink may have received a part of it
   */
  ManifestHeader read(SpecSink sink);
}
