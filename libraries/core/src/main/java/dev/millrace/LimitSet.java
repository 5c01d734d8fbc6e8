package dev.millrace;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one bucket, at least one, each name once, in the order of their names. The index of
 * a limit in its set is how amounts and balances are matched without looking names up again.
 */
public final class LimitSet implements Iterable<Limit> {
  /** Most limits of one bucket: all of them are in one item and one expression. */
  public static final int MAX_LIMITS = 16;

  private final Limit[] limits;
  private final List<Limit> list;
  private final long longestFillMs;
  private final boolean hasSoft;

  private LimitSet(Limit[] limits) {
    this.limits = limits;
    this.list = List.of(limits);
    long longestMs = 0;
    boolean anySoft = false;
    for (Limit limit : limits) {
      anySoft |= limit.soft();
      longestMs = Math.max(longestMs, limit.timeToFillMs());
    }
    this.longestFillMs = longestMs;
    this.hasSoft = anySoft;
  }

  /** The set of {@code limits}, in any order. */
  public static LimitSet of(Limit... limits) {
    return of(Arrays.asList(limits));
  }

  /** The set of {@code limits}, in any order. */
  public static LimitSet of(Collection<Limit> limits) {
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("limits: at least one is needed");
    }
    if (limits.size() > MAX_LIMITS) {
      throw new IllegalArgumentException(
          "limits: " + limits.size() + " given, at most " + MAX_LIMITS + " fit one bucket");
    }
    Limit[] sorted = limits.toArray(Limit[]::new);
    Arrays.sort(sorted, Comparator.comparing(Limit::name));
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i].name().equals(sorted[i - 1].name())) {
        throw new IllegalArgumentException("limits: '" + sorted[i].name() + "' is given twice");
      }
    }
    return new LimitSet(sorted);
  }

  /** How many limits. */
  public int size() {
    return limits.length;
  }

  /** The limit at {@code index}. */
  public Limit get(int index) {
    return limits[index];
  }

  /** Whether a limit only meters. */
  public boolean hasSoft() {
    return hasSoft;
  }

  /** Milliseconds in which all limits fill to their ceilings from nothing. */
  public long longestFillMs() {
    return longestFillMs;
  }

  /** The index of the limit called {@code name}, or −1. */
  public int indexOf(String name) {
    for (int i = 0; i < limits.length; i++) {
      if (limits[i].name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The limits in the order of their names. */
  public List<Limit> asList() {
    return list;
  }

  /** The names, as they stand in messages. */
  public List<String> names() {
    return Arrays.stream(limits).map(Limit::name).toList();
  }

  @Override
  public Iterator<Limit> iterator() {
    return list.iterator();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof LimitSet that && Arrays.equals(limits, that.limits));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(limits);
  }

  @Override
  public String toString() {
    return Arrays.toString(limits);
  }
}
