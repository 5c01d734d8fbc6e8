package dev.millrace.regions.peers;

import dev.millrace.core.internal.NameRules;

/** The key of a limit of a bucket: shares are kept for each. */
public record LimitKey(String entityId, String resource, String limit) {
  /** Checks the names. */
  public LimitKey {
    NameRules.requireEntityId(entityId);
    NameRules.requireResource(resource);
    NameRules.requireLimitName(limit);
  }
}
