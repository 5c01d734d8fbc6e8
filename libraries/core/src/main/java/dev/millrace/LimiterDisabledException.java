package dev.millrace;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request was refused because an entity or a resource is switched off. Has no stack trace: it is
 * thrown for every request until it is switched on, and says nothing about where.
 */
public final class LimiterDisabledException extends MillraceException {
  private static final long serialVersionUID = 1L;

  private final transient DisabledBucket disabled;

  /** The refusal as an exception. */
  public LimiterDisabledException(DisabledBucket disabled) {
    super("switched off", describe(disabled), null, /* withStackTrace= */ false);
    this.disabled = disabled;
  }

  /** What is switched off. */
  public DisabledBucket disabled() {
    return disabled;
  }

  private static Map<String, Object> describe(DisabledBucket disabled) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("entity", disabled.entityId());
    attributes.put("resource", disabled.resource());
    attributes.put(
        "todo", "an operator has to enable the entity or the resource; no waiting helps");
    return attributes;
  }
}
