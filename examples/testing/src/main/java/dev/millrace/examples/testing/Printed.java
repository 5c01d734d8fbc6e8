package dev.millrace.examples.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The captured output of an example. */
public final class Printed {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out =
      new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);

  /** Where the example prints to. */
  public PrintStream out() {
    return out;
  }

  /** All that it has printed so far. */
  public String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
