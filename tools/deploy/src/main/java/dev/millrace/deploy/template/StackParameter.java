package dev.millrace.deploy.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A parameter of the template.
 *
 * @param name in the template: {@code LogRetentionDays}
 * @param description what it is
 * @param defaultValue used when none is given; may be empty
 * @param allowed all it may be; empty when there is no list
 */
public record StackParameter(
    String name, String description, String defaultValue, List<String> allowed) {
  /** Keeps the list as it is now. */
  public StackParameter {
    allowed = List.copyOf(allowed);
  }

  static StackParameter of(String name, JsonNode declared) {
    List<String> allowed = new ArrayList<>();
    declared.path("AllowedValues").forEach(value -> allowed.add(value.asText()));
    return new StackParameter(
        name, declared.path("Description").asText(), declared.path("Default").asText(), allowed);
  }

  /** On the command line: {@code --log-retention-days}. */
  public String option() {
    return "--" + name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }
}
