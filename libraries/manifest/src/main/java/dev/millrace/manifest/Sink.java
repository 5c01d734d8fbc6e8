package dev.millrace.manifest;

/** Hears what is wanted, piece by piece, in whatever order it is written down. */
public interface Sink {
  /** Where the next piece stands, from 1; for messages. */
  default void at(int line, int column) {}

  /** Of the whole namespace; at most once. */
  default void system(SystemSpec spec) {}

  /** Of a resource; each once. */
  default void resource(String name, LevelSpec spec) {}

  /** Of an entity; each once. */
  default void entity(EntitySpec spec) {}
}
