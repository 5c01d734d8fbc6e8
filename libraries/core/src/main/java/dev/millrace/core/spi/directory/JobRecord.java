package dev.millrace.core.spi.directory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Long work and how far it is, so that anybody can go on with it when its process died.
 *
 * @param kind what is done
 * @param arguments with what
 * @param cursor where to go on, null at the beginning
 * @param examined how many things were looked at
 * @param changed how many of them were changed
 * @param done whether nothing is left to do
 */
public record JobRecord(
    RecordKey.Job key,
    long version,
    String kind,
    Map<String, String> arguments,
    @Nullable String cursor,
    long examined,
    long changed,
    boolean done,
    long startedAtMs,
    long updatedAtMs,
    long expiresAtSeconds)
    implements StoredRecord {
  /** Keeps the arguments as they are now. */
  public JobRecord {
    arguments = Map.copyOf(arguments);
  }
}
