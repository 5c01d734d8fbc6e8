package dev.millrace.server.live;

/** Who knows what the server does at this moment. */
public interface LiveSource {
  /** What it does now. */
  LiveSnapshot snapshot();
}
