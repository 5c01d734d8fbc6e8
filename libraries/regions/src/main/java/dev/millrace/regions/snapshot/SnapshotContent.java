package dev.millrace.regions.snapshot;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of a snapshot, gzipped, which can be read more than once. */
@FunctionalInterface
public interface SnapshotContent {
  /** Opens it at the beginning. The reader closes it. */
  InputStream open() throws IOException;
}
