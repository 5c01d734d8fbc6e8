package dev.millrace.core.spi.config;

/**
 * The level that the limits of a bucket come from, the strongest first: the first that has any
 * wins.
 */
public enum ConfigLevel {
  /** Given with the call. */
  CALL("call"),
  /** Stored for one entity and one resource. */
  ENTITY_RESOURCE("entity+resource"),
  /** Stored for one entity and whatever resource. */
  ENTITY("entity"),
  /** Stored for one resource and whatever entity. */
  RESOURCE("resource"),
  /** Stored for the whole namespace. */
  SYSTEM("system");

  private final String label;

  ConfigLevel(String label) {
    this.label = label;
  }

  /** As people read it. */
  public String label() {
    return label;
  }
}
