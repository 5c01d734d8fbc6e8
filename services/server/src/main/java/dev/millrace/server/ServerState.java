package dev.millrace.server;

/** Where a server is in its life. */
public enum ServerState {
  /** Not yet to be asked. */
  STARTING,
  /** At work. */
  READY,
  /** Finishes what it has; asks to be asked no more. */
  DRAINING
}
