package dev.millrace.adapters.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names as values of a label, as long as there are few. Every value is a time series that is kept
 * for ever by somebody, and names come from requests: the first ones are told apart, the rest is
 * {@code other}.
 */
public final class BoundedLabels {
  /** What names are called when there are too many. */
  public static final String OTHER = "other";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Tells the first {@code most} names apart. */
  public BoundedLabels(int most) {
    this.most = most;
  }

  /** The label for a name. */
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
