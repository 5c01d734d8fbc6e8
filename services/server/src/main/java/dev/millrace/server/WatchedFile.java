package dev.millrace.server;

import com.linecorp.armeria.common.util.ThreadFactories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A value that is read from a file and read again after each change of it. The content is compared,
 * not the time of the file: a replaced file is not always newer. A file that cannot be read any
 * more, or is wrong, is logged, and the value from before stays in effect.
 *
 * @param <T> the type of the value
 */
public final class WatchedFile<T> implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");
  private static final long MAX_BYTES = 4_000_000;

  private final Path file;
  private final Function<String, T> reader;
  private final BiConsumer<T, Boolean> listener;
  private final ScheduledExecutorService looks;
  private String seen;
  private volatile T value;

  /**
   * Reads {@code file}, and checks it again after each {@code pause}.
   *
   * @param reader throws a {@link RuntimeException} for wrong content
   * @param listener called after each change with the value in effect and whether the new content
   *     was good
   * @throws IllegalArgumentException if the file cannot be read
   */
  public WatchedFile(
      Path file, Function<String, T> reader, BiConsumer<T, Boolean> listener, Duration pause) {
    this.file = file;
    this.reader = reader;
    this.listener = listener;
    this.seen = content(file);
    this.value = reader.apply(seen);
    this.looks =
        Executors.newSingleThreadScheduledExecutor(
            ThreadFactories.newThreadFactory("millrace-file-" + file.getFileName(), true));
    Future<?> unused =
        looks.scheduleWithFixedDelay(
            this::look, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  public T value() {
    return value;
  }

  /** Checks whether the file has changed. */
  public synchronized void look() {
    String now;
    try {
      now = content(file);
    } catch (IllegalArgumentException e) {
      refuse(String.valueOf(e.getMessage()), e);
      return;
    }
    if (now.equals(seen)) {
      return;
    }
    try {
      value = reader.apply(now);
    } catch (RuntimeException e) {
      refuse(now, e);
      return;
    }
    seen = now;
    LOG.log(System.Logger.Level.INFO, "{0} has changed and is in effect", file);
    listener.accept(value, true);
  }

  private void refuse(String now, RuntimeException reason) {
    if (!now.equals(seen)) { // logged once for each content
      seen = now;
      LOG.log(
          System.Logger.Level.ERROR,
          "{0} is wrong, its content from before stays in effect: {1}",
          file,
          reason.getMessage());
      listener.accept(value, false);
    }
  }

  /**
   * The text of a file.
   *
   * @throws IllegalArgumentException if it cannot be read or is too large
   */
  public static String content(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(
            "file %s is larger than %d bytes".formatted(file, MAX_BYTES));
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("file %s cannot be read: %s".formatted(file, e), e);
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
