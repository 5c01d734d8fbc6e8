package dev.millrace.proving.soak;

import dev.millrace.proving.soak.worker.WorkerCounts;
import java.time.Duration;

/** A view of a running soak. */
interface SoakView {
  /** A step that takes a while. */
  void step(String text);

  /** How far it is. */
  void progress(Duration passed, Duration length, Kills kills, WorkerCounts counts);
}
