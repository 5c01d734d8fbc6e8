package dev.millrace.proving.soak;

import dev.millrace.proving.soak.worker.WorkerCounts;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Tells people how far it is: one line that changes on a terminal, a line now and then elsewhere.
 */
final class SoakPrinter implements SoakView, AutoCloseable {
  private static final Duration ON_TERMINAL = Duration.ofMillis(500);
  private static final Duration ELSEWHERE = Duration.ofSeconds(10);

  private final PrintWriter err;
  private final boolean silent;
  private final boolean terminal;
  private Duration next = Duration.ZERO;
  private boolean lineIsOpen;

  private SoakPrinter(PrintWriter err, boolean silent, boolean terminal) {
    this.err = err;
    this.silent = silent;
    this.terminal = terminal;
  }

  static SoakPrinter of(CommandLine command, boolean json) {
    return new SoakPrinter(command.getErr(), json, Ansi.AUTO.enabled());
  }

  @Override
  public void step(String text) {
    if (!silent) {
      end();
      err.println("soak: " + text);
    }
  }

  @Override
  public void progress(Duration passed, Duration length, Kills kills, WorkerCounts counts) {
    if (silent || passed.compareTo(next) < 0) {
      return;
    }
    next = passed.plus(terminal ? ON_TERMINAL : ELSEWHERE);
    String line =
        String.format(
            Locale.ROOT,
            "%s of %s  killed %d workers, %d databases, froze %d  acquires %,d: admitted %,d, refused %,d,"
                + " unavailable %,d, admitted without the store %,d",
            time(passed),
            time(length),
            kills.workers(),
            kills.databases(),
            kills.freezes(),
            counts.acquires(),
            counts.granted(),
            counts.refused(),
            counts.unavailable(),
            counts.degraded());
    if (terminal) {
      err.print("\r\033[K" + line);
      err.flush();
      lineIsOpen = true;
    } else {
      err.println(line);
    }
  }

  private static String time(Duration duration) {
    return String.format(Locale.ROOT, "%d:%02d", duration.toMinutes(), duration.toSecondsPart());
  }

  /** Ends the line that changes. */
  void end() {
    if (lineIsOpen) {
      err.println();
      lineIsOpen = false;
    }
  }

  @Override
  public void close() {
    end();
  }
}
