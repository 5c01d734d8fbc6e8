package dev.millrace.manifest.internal;

/** A receiver of a desired state, part by part, in the order in which it is written. */
public interface SpecSink {
  /** The position of the next part, from 1; for messages. */
  default void at(int line, int column) {}

  /** The part of the whole namespace; at most once. */
  default void system(SystemSpec spec) {}

  /** The part of a resource; each once. */
  default void resource(String name, LevelSpec spec) {}

  /** The part of an entity; each once. */
  default void entity(EntitySpec spec) {}
}
