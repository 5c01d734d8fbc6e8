package dev.millrace.cli.demo;

import java.util.List;

/** Who shows the demo, for people or for machines. */
public interface DemoView {
  /** Something that takes long begins. */
  void progress(String line);

  /** The engine runs and the table is there. */
  default void ready(String table, long tookMs) {}

  /** A step begins. */
  default void begin(int number, String title, String story) {}

  /** Something was done. */
  default void done(Action action) {}

  /** A wait goes on. */
  default void waiting(long doneMs, long totalMs) {}

  /** A step has ended. */
  void end(StepReport report);

  /** All steps have ended. */
  default void closing(List<StepReport> reports) {}
}
