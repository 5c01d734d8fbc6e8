package dev.millrace.cli.text;

import dev.millrace.admin.ProgressListener;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Prints what a command has found: lines for people, or one JSON object a line for machines. */
public final class Output {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private final boolean watched;
  private boolean lineOpen;

  /** Prints to {@code out}, and what takes long to {@code err} when somebody is watching. */
  public Output(PrintWriter out, PrintWriter err, boolean json, boolean watched) {
    this.out = out;
    this.err = err;
    this.json = json;
    this.watched = watched;
  }

  /** Whether it is read by a machine. */
  public boolean isJson() {
    return json;
  }

  /** Prints one thing; the text is only made when it is wanted. */
  public synchronized void one(Map<String, ?> object, Supplier<List<String>> text) {
    closeLine();
    if (json) {
      out.println(JsonText.of(object));
    } else {
      text.get().forEach(out::println);
    }
    out.flush();
  }

  /** Prints one thing that is a line for people too. */
  public void one(Map<String, ?> object, String line) {
    one(object, () -> List.of(line));
  }

  /**
   * Prints a list.
   *
   * @param empty what people read when there is nothing
   * @param next where the list goes on, null when it has ended
   */
  public synchronized void list(
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
  }

  /** Prints a line for people only. */
  public synchronized void line(String text) {
    if (!json) {
      closeLine();
      out.println(text);
      out.flush();
    }
  }

  /** Says something that is not the result. */
  public synchronized void note(String text) {
    closeLine();
    err.println(text);
    err.flush();
  }

  /** Shows how far long work is, in a line that is written over; for who watches. */
  public synchronized void progress(String text) {
    if (watched && !json) {
      err.print(CLEAR_LINE + text);
      err.flush();
      lineOpen = true;
    }
  }

  /** Long work of the administration, shown. */
  public ProgressListener watching() {
    return report ->
        progress(
            String.format(
                Locale.ROOT,
                "%s: %,d looked at, %,d changed",
                report.kind(),
                report.examined(),
                report.changed()));
  }

  private void closeLine() {
    if (lineOpen) {
      err.print(CLEAR_LINE);
      err.flush();
      lineOpen = false;
    }
  }
}
