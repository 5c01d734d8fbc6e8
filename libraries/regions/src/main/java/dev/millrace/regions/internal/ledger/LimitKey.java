package dev.millrace.regions.internal.ledger;

import dev.millrace.NameRules;

/** The key of a limit of a bucket: shares are kept for each. */
public record LimitKey(String entityId, String resource, String limit) {
  public LimitKey {
    NameRules.requireEntityId(entityId);
    NameRules.requireResource(resource);
    NameRules.requireLimitName(limit);
  }
}
