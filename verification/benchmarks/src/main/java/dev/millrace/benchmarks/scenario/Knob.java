package dev.millrace.benchmarks.scenario;

/** A setting of the load of a scenario; not every scenario has every one. */
public enum Knob {
  /** How many limiters share the store. */
  PROCESSES("--processes"),
  /** Blocking callers. */
  THREADS("--threads"),
  /** Asynchronous callers. */
  CALLERS("--callers"),
  /** Requests a second of each process. */
  RATE("--rate"),
  /** Entities that have the same parent. */
  CHILDREN("--children"),
  /** Ancestors of each of them. */
  DEPTH("--depth"),
  /** Whether a request writes all its buckets in one transaction. */
  TRANSACTIONAL("--transactional"),
  /** Whether requests of one process share writes. */
  GROUPING("--no-grouping");

  private final String option;

  Knob(String option) {
    this.option = option;
  }

  /** The option that sets it. */
  public String option() {
    return option;
  }
}
