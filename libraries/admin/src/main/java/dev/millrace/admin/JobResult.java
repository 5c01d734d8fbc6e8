package dev.millrace.admin;

/**
 * The progress of a job.
 *
 * @param jobId its id
 * @param state whether it is done
 * @param examined the number of items examined, by all processes that ran the job
 * @param changed the number of them that were changed
 */
public record JobResult(String jobId, State state, long examined, long changed) {
  /** The state of a job. */
  public enum State {
    /** Nothing remains to be done. */
    DONE,
    /** Another process continues it. */
    TAKEN_OVER
  }

  /** Whether nothing remains to be done. */
  public boolean isDone() {
    return state == State.DONE;
  }
}
