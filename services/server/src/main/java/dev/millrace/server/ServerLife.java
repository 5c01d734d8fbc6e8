package dev.millrace.server;

import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.problem.ProblemException;

/** The life of one server, for those who have to know where it is. */
public final class ServerLife {
  private volatile ServerState state = ServerState.STARTING;

  /** Where it is. */
  public ServerState state() {
    return state;
  }

  /** Lets new work in, or answers 503 when the server is about to stop. */
  public void requireNotDraining() {
    if (state == ServerState.DRAINING) {
      throw new ProblemException(
          HttpProblem.of(503, "draining", "This server is about to stop: ask another one")
              .with("retryAfterSeconds", 1));
    }
  }

  void become(ServerState next) {
    state = next;
  }
}
