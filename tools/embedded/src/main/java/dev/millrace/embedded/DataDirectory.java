package dev.millrace.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A directory with the state of an engine, locked for one engine at a time.
 *
 * <p>The engine lets a second one open the same files, but orders requests only within its own
 * process: a condition checked by one need not hold when the other writes. The lock is the parent's
 * and ends with it, however it ends.
 */
record DataDirectory(Path path, FileChannel locked) implements AutoCloseable {
  private static final String LOCK_FILE = "millrace-engine.lock";

  /**
   * Refuses a path that is not a directory; does not create one, since a mistyped path would look
   * empty.
   */
  static Path check(Path path) {
    if (!Files.exists(path)) {
      throw new IllegalArgumentException("No such directory (create it first): " + path);
    }
    if (!Files.isDirectory(path)) {
      throw new IllegalArgumentException("Not a directory: " + path);
    }
    if (!Files.isWritable(path)) {
      throw new IllegalArgumentException("Not a writable directory: " + path);
    }
    return path.toAbsolutePath();
  }

  static DataDirectory lock(Path path) {
    try {
      FileChannel channel =
          FileChannel.open(
              check(path).resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (channel.tryLock() != null) {
          return new DataDirectory(path, channel);
        }
      } catch (OverlappingFileLockException e) {
        // held by this very JVM
      }
      channel.close();
    } catch (IOException e) {
      throw new EmbeddedEngineException("Could not lock the directory " + path, e);
    }
    throw new EmbeddedEngineException(
        "Another engine uses the directory %s; stop it or choose another".formatted(path));
  }

  @Override
  public void close() {
    try {
      locked.close();
    } catch (IOException e) {
      throw new EmbeddedEngineException("Could not unlock the directory " + path, e);
    }
  }
}
