package dev.millrace.cli.demo;

import java.util.List;

/** What shows the demo, to people or to machines. */
public interface DemoView {
  /** Something that takes long begins. */
  void progress(String line);

  /** The engine runs and the table is there. */
  default void ready(String table, long tookMs) {}

  /** A step begins. */
  default void begin(int number, String title, String story) {}

  /** Something was done. */
  default void done(DemoAction action) {}

  /** A wait goes on. */
  default void waiting(long doneMs, long totalMs) {}

  /** A step has ended. */
  void end(int number, String title, List<DemoAction> actions);

  /** All steps have ended. */
  default void closing() {}
}
