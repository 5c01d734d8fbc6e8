package dev.millrace.server.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file, as it is now: it is read again when it has changed. One that cannot be read
 * any more is logged, and the keys of before stay good: a slip of the pen is no outage.
 */
public final class KeyFile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  private final Path file;
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(KeyFile::daemon);
  private volatile KeyRing ring;
  private @Nullable Seen seen;

  private record Seen(FileTime time, long size) {}

  private KeyFile(Path file) {
    this.file = file;
    this.seen = look();
    this.ring = KeyRing.read(file);
  }

  /**
   * The keys of {@code file}, looked at every {@code pause}.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static KeyFile open(Path file, Duration pause) {
    KeyFile keys = new KeyFile(file);
    var unused =
        keys.looks.scheduleWithFixedDelay(
            keys::lookAgain, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    return keys;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "millrace-keys");
    thread.setDaemon(true);
    return thread;
  }

  KeyRing ring() {
    return ring;
  }

  /** How many keys and certificates there are. */
  public int size() {
    return ring.size();
  }

  private void lookAgain() {
    Seen now = look();
    if (now == null || now.equals(seen)) {
      return;
    }
    try {
      ring = KeyRing.read(file);
      LOG.log(System.Logger.Level.INFO, "the keys of {0} were read again", file);
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the keys of {0} cannot be read again, those of before stay: {1}",
          file,
          e.getMessage());
    }
    seen = now;
  }

  private @Nullable Seen look() {
    try {
      return new Seen(Files.getLastModifiedTime(file), Files.size(file));
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
