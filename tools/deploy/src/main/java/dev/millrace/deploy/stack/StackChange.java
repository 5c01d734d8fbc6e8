package dev.millrace.deploy.stack;

import java.util.List;
import java.util.Map;

/**
 * The wanted state of a stack.
 *
 * @param name its name
 * @param template the text of the template
 * @param given parameters that are chosen now
 * @param kept parameters that stay as they were chosen before; all others get their default
 * @param tags all its tags
 */
public record StackChange(
    String name,
    String template,
    Map<String, String> given,
    List<String> kept,
    Map<String, String> tags) {
  /** Keeps the collections as they are now. */
  public StackChange {
    given = Map.copyOf(given);
    kept = List.copyOf(kept);
    tags = Map.copyOf(tags);
  }
}
