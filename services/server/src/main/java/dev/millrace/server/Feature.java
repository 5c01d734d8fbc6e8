package dev.millrace.server;

import com.linecorp.armeria.server.ServerBuilder;

/** A set of routes of the server, with what it has to finish when the server stops. */
public interface Feature extends AutoCloseable {
  /** Adds the routes, each behind {@link ServerParts#guard()} unless it is open to everyone. */
  void addTo(ServerBuilder server, ServerParts parts);

  /** Finishes work in progress; no further request arrives. */
  @Override
  default void close() {}
}
