package dev.millrace.regions.peers;

import dev.millrace.core.entity.Names;

/** The key of a limit of a bucket: shares are kept for each. */
public record LimitKey(String entityId, String resource, String limit) {
  /** Checks the names. */
  public LimitKey {
    Names.requireEntityId(entityId);
    Names.requireResource(resource);
    Names.requireLimitName(limit);
  }
}
