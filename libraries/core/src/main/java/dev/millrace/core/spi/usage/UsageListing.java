package dev.millrace.core.spi.usage;

import dev.millrace.NameRules;

/** Which items of usage. */
public sealed interface UsageListing {
  /**
   * An entity's, of one resource, the earliest first.
   *
   * @param fromMs the earliest start
   * @param toMs the first start that is too late
   */
  record OfEntity(
      String namespace, String entityId, String resource, Window window, long fromMs, long toMs)
      implements UsageListing {
    /** Checks the names and the range. */
    public OfEntity {
      NameRules.requireNamespace(namespace);
      NameRules.requireEntityId(entityId);
      NameRules.requireResource(resource);
      if (!Window.covers(fromMs) || toMs < fromMs || toMs > Window.MAX_TIME_MS) {
        throw new IllegalArgumentException(
            "range from " + fromMs + " to " + toMs + " ms must be in order, from 2000 to 2199");
      }
    }
  }

  /**
   * Everybody's, of one resource in one piece of time, in the order of the entities.
   *
   * @param startMs when the piece begins
   */
  record OfResource(String namespace, String resource, Window window, long startMs)
      implements UsageListing {
    /** Checks the names and the time. */
    public OfResource {
      NameRules.requireNamespace(namespace);
      NameRules.requireResource(resource);
      if (!Window.covers(startMs)) {
        throw new IllegalArgumentException("start " + startMs + " ms is not from 2000 to 2199");
      }
    }
  }
}
