package dev.millrace.server;

import com.linecorp.armeria.server.ServerBuilder;

/**
 * A part of what the server serves. It adds its routes behind {@link ServerParts#guard()}, and may
 * have something to finish when the server stops.
 */
public interface Feature extends AutoCloseable {
  /** Adds its routes. */
  void addTo(ServerBuilder server, ServerParts parts);

  /** Finishes what is under way; no further request comes. */
  @Override
  default void close() {}
}
