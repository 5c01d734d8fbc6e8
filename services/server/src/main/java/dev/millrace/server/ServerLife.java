package dev.millrace.server;

import dev.millrace.server.json.ProblemException;

/** The life cycle of one server, shared by its features. */
public final class ServerLife {
  /** A phase of the life of a server. */
  public enum State {
    /** Does not accept requests yet. */
    STARTING,
    /** Accepts requests. */
    READY,
    /** Finishes requests in progress and refuses new work. */
    DRAINING
  }

  private volatile State state = State.STARTING;

  public State state() {
    return state;
  }

  /** Throws a 503 problem when the server is about to stop. */
  public void requireNotDraining() {
    if (state == State.DRAINING) {
      throw ProblemException.of(503, "draining", "This server is about to stop: ask another one")
          .with("retryAfterSeconds", 1);
    }
  }

  void become(State next) {
    state = next;
  }
}
