package dev.millrace.admin;

/**
 * How far long work came.
 *
 * @param jobId under which id it is known
 * @param state whether it is done
 * @param examined how many things were looked at, by everybody who worked at it
 * @param changed how many of them were changed
 */
public record JobResult(String jobId, State state, long examined, long changed) {
  /** Whether it is done. */
  public enum State {
    /** Nothing is left to do. */
    DONE,
    /** Another process goes on with it. */
    TAKEN_OVER
  }

  /** Whether nothing is left to do. */
  public boolean isDone() {
    return state == State.DONE;
  }
}
