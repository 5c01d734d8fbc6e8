package dev.millrace.cli.text;

import dev.millrace.admin.ProgressListener;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.Millrace;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the results of a command: lines for people, or one JSON object a line for machines. */
public final class Output {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final boolean watched;
  private boolean lineOpen;

  private Output(PrintWriter out, PrintWriter err, boolean json, boolean watched) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.watched = watched;
  }

  /** The output of the command {@code spec}; progress is only shown on a terminal. */
  public static Output of(CommandSpec spec, boolean json) {
    CommandLine command = spec.commandLine();
    return new Output(
        command.getOut(), command.getErr(), json, Millrace.surroundings(spec).watched());
  }

  /** Prints one result; the text is only made when it is needed. Returns {@link ExitCodes#DONE}. */
  public synchronized int one(Map<String, ?> object, Supplier<List<String>> text) {
    return list(List.of(object), text, "", null);
  }

  /**
   * Prints a list, and returns {@link ExitCodes#DONE}.
   *
   * @param empty printed for people when there is nothing
   * @param next the cursor of the remainder of the list, null when it has ended
   */
  public synchronized int list(
      List<? extends Map<String, ?>> objects,
      Supplier<List<String>> text,
      String empty,
      @Nullable String next) {
    closeLine();
    if (json) {
      objects.forEach(object -> out.println(JsonText.of(object)));
      if (next != null) {
        out.println(JsonText.of(Map.of("next", next)));
      }
    } else {
      (objects.isEmpty() && next == null ? List.of(empty) : text.get()).forEach(out::println);
      if (next != null) {
        out.println("There is more: --after " + next);
      }
    }
    out.flush();
    return ExitCodes.DONE;
  }

  /** Prints a line for people only. */
  public synchronized void line(String text) {
    if (!json) {
      closeLine();
      out.println(text);
      out.flush();
    }
  }

  /** Prints a line to standard error. */
  public synchronized void note(String text) {
    closeLine();
    err.println(text);
    err.flush();
  }

  /** Shows the progress of long work on a terminal, in a line that the next one overwrites. */
  public synchronized void progress(String format, @Nullable Object... values) {
    if (watched && !json) {
      err.print(CLEAR_LINE + String.format(Locale.ROOT, format, values));
      err.flush();
      lineOpen = true;
    }
  }

  /** Shows the progress of long work of the administration. */
  public ProgressListener watching() {
    return report ->
        progress(
            "%s: %,d looked at, %,d changed", report.kind(), report.examined(), report.changed());
  }

  private void closeLine() {
    if (lineOpen) {
      err.print(CLEAR_LINE);
      err.flush();
      lineOpen = false;
    }
  }
}
