package dev.millrace.adapters.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A bound on the values of a metric label. Every value is a time series that a metrics system keeps
 * for ever, and names come from requests: the first ones are kept apart, the others are {@code
 * other}.
 */
public final class BoundedLabels {
  /** The label of further names. */
  public static final String OTHER = "other";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Keeps the first {@code most} names apart. */
  public BoundedLabels(int most) {
    this.most = most;
  }

  public String of(String name) {
    if (known.contains(name)) {
      return name;
    }
    synchronized (this) {
      if (known.size() < most || known.contains(name)) {
        known.add(name);
        return name;
      }
      return OTHER;
    }
  }
}
