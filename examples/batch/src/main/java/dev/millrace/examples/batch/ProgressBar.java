package dev.millrace.examples.batch;

import java.io.PrintStream;

/**
 * The progress of the job: one line that changes on a terminal, a line for each tenth elsewhere.
 */
final class ProgressBar {
  private static final int WIDTH = 30;
  private static final int TENTHS = 10;

  private final PrintStream out;
  private final boolean changing;
  private final int total;
  private int done;
  private long tokens;

  ProgressBar(PrintStream out, boolean changing, int total) {
    this.out = out;
    this.changing = changing;
    this.total = total;
  }

  /** One more is done, for so many tokens. */
  synchronized void add(long cost) {
    int before = done * TENTHS / total;
    done++;
    tokens += cost;
    if (changing) {
      out.print("\r" + line());
      out.flush();
    } else if (done * TENTHS / total > before) {
      out.println(line());
    }
  }

  /** Goes to the next line, where the changing one would be written over. */
  synchronized void end() {
    if (changing && done > 0) {
      out.println();
    }
  }

  private String line() {
    int filled = done * WIDTH / total;
    return "  [%s%s] %3d of %d, %,7d tokens"
        .formatted("#".repeat(filled), " ".repeat(WIDTH - filled), done, total, tokens);
  }
}
