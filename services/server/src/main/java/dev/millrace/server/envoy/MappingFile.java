package dev.millrace.server.envoy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The mapping that holds, from a file that is looked at every second. A change takes effect at once
 * and for everything; a file that is wrong changes nothing, and is logged and counted. The content
 * is compared, not the time of the file: what replaces a file does not always make it newer.
 */
public final class MappingFile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");
  private static final long LOOK_EVERY_MS = 1_000;

  private final Path path;
  private final BiConsumer<Mapping, Boolean> changed;
  private volatile Mapping mapping;

  /** What was there at the last look, good or not. */
  private String seen;

  private final ScheduledExecutorService looker;

  /**
   * Reads {@code path} and goes on looking at it.
   *
   * @param changed told of each change: what holds now, and whether the new file was good
   * @throws MappingException when it is wrong from the beginning
   */
  public MappingFile(Path path, BiConsumer<Mapping, Boolean> changed) {
    this(path, changed, LOOK_EVERY_MS);
  }

  MappingFile(Path path, BiConsumer<Mapping, Boolean> changed, long lookEveryMs) {
    this.path = path;
    this.changed = changed;
    this.seen = content(path);
    this.mapping = MappingReader.read(path.toString(), seen);
    this.looker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "millrace-envoy-mapping");
              thread.setDaemon(true);
              return thread;
            });
    Future<?> unused =
        looker.scheduleWithFixedDelay(this::look, lookEveryMs, lookEveryMs, TimeUnit.MILLISECONDS);
  }

  /** Checks a file without using it. */
  public static Mapping check(Path path) {
    return MappingReader.read(path.toString(), content(path));
  }

  /** What holds now. */
  public Mapping mapping() {
    return mapping;
  }

  /** Looks whether the file has changed. */
  synchronized void look() {
    String now;
    try {
      now = content(path);
    } catch (MappingException e) {
      refuse(String.valueOf(e.getMessage()), e);
      return;
    }
    if (now.equals(seen)) {
      return;
    }
    try {
      mapping = MappingReader.read(path.toString(), now);
    } catch (MappingException e) {
      refuse(now, e);
      return;
    }
    seen = now;
    LOG.log(
        System.Logger.Level.INFO, "the Envoy mapping {0} has changed and holds from now on", path);
    changed.accept(mapping, true);
  }

  /** Says once that what is there now is wrong. */
  private void refuse(String now, MappingException why) {
    if (!now.equals(seen)) {
      seen = now;
      LOG.log(
          System.Logger.Level.WARNING,
          "the Envoy mapping is wrong; the one before goes on: {0}",
          why.getMessage());
      changed.accept(mapping, false);
    }
  }

  private static String content(Path path) {
    try {
      if (Files.size(path) > 4L * MappingReader.MAX_CHARACTERS) {
        throw new IOException("larger than " + MappingReader.MAX_CHARACTERS + " characters");
      }
      return Files.readString(path);
    } catch (IOException e) {
      throw new MappingException(
          path.toString(),
          List.of(
              new dev.millrace.manifest.ManifestProblem(
                  0, 0, "(file)", "", "cannot be read: " + e)));
    }
  }

  @Override
  public void close() {
    looker.shutdownNow();
  }
}
