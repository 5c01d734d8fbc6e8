package dev.millrace.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The output of a process, read completely, of which the last lines are kept.
 *
 * <p>A process whose output is not read blocks as soon as the pipe is full; a log file would have
 * to be deleted after a crash. A thread that drains the pipe needs neither.
 */
final class DrainedOutput {
  /** Enough for a stack trace with its cause, or for the errors at the end of a Maven run. */
  static final int TAIL_LINES = 60;

  /** The pipe ends with the process; longer only when a grandchild has inherited it. */
  private static final long END_TIMEOUT_MS = 2_000;

  private final Deque<String> tail = new ArrayDeque<>();
  private final Thread reader;

  /**
   * Starts to read; on the reading thread, {@code onLine} sees every line, and {@code onEnd} runs
   * once the process has closed its output, as it does when it ends.
   */
  DrainedOutput(Process process, Consumer<String> onLine, Runnable onEnd) {
    reader = new Thread(() -> drain(process, onLine, onEnd), "millrace-output-of-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void drain(Process process, Consumer<String> onLine, Runnable onEnd) {
    try (BufferedReader lines = process.inputReader()) {
      lines.lines().forEach(line -> accept(line, onLine));
    } catch (IOException | UncheckedIOException e) {
      // The stream is closed when the process is destroyed: an end like any other.
    } finally {
      onEnd.run();
    }
  }

  private void accept(String line, Consumer<String> onLine) {
    synchronized (tail) {
      if (tail.size() == TAIL_LINES) {
        tail.removeFirst();
      }
      tail.addLast(line);
    }
    onLine.accept(line);
  }

  /** Waits until all lines of a process that has ended are read. */
  void awaitEnd() {
    try {
      reader.join(END_TIMEOUT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The last lines of a process that has ended; those so far when its output is still open. */
  String tail() {
    awaitEnd();
    synchronized (tail) {
      return tail.isEmpty() ? "(no output)" : String.join("\n", tail);
    }
  }
}
