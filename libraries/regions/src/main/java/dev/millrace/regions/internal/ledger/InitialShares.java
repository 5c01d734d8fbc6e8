package dev.millrace.regions.internal.ledger;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The initial shares of all regions: the whole of a limit, divided once. All regions must have the
 * same founding; it is part of the declaration and does not change when a region is added later,
 * which begins with nothing.
 *
 * <p>After an eviction the remaining regions compute a new founding (see {@link LimitLedger}). Then
 * a region's base may be below zero: it has given more than it began with, out of what it got.
 *
 * @param basePpm the initial share by region; 0 for a region that is not named
 */
public record InitialShares(SortedMap<String, Long> basePpm) {
  /** Copies the shares, and checks that they add up to the whole. */
  public InitialShares {
    SortedMap<String, Long> copy = new TreeMap<>(basePpm);
    RegionNames.requireAll(copy.keySet());
    long sum = 0;
    for (long ppm : copy.values()) {
      sum = Math.addExact(sum, ppm);
    }
    if (sum != Ppm.WHOLE) {
      throw new IllegalArgumentException("founding: bases are " + sum + ", not " + Ppm.WHOLE);
    }
    basePpm = Collections.unmodifiableSortedMap(copy);
  }

  /** The whole in equal parts; the remainder goes to the first by name, one each. */
  public static InitialShares of(Collection<String> regions) {
    List<String> names = RegionNames.requireAll(regions);
    SortedMap<String, Long> parts = new TreeMap<>();
    for (int i = 0; i < names.size(); i++) {
      parts.put(names.get(i), part(Ppm.WHOLE, names.size(), i));
    }
    return new InitialShares(parts);
  }

  /** The initial share of {@code region}. */
  public long basePpm(String region) {
    return basePpm.getOrDefault(region, 0L);
  }

  /**
   * The founding of the remaining regions after an eviction. Their transfers with the evicted
   * regions are over and become part of their base; all that is missing to the whole belonged to
   * the evicted, or was on its way to or from them, and is divided equally.
   *
   * @param survivors the remaining regions, in their order
   * @param balancePpm by survivor: what it got from the evicted, less what it gave them
   * @throws IllegalArgumentException when there would be less than nothing to divide
   */
  InitialShares after(List<String> survivors, Map<String, Long> balancePpm) {
    long estatePpm = Ppm.WHOLE;
    SortedMap<String, Long> bases = new TreeMap<>();
    for (String survivor : survivors) {
      long base = Math.addExact(basePpm(survivor), balancePpm.getOrDefault(survivor, 0L));
      bases.put(survivor, base);
      estatePpm = Math.subtractExact(estatePpm, base);
    }
    if (estatePpm < 0) {
      throw new IllegalArgumentException("the evicted regions would leave " + estatePpm + " ppm");
    }
    for (int i = 0; i < survivors.size(); i++) {
      bases.merge(survivors.get(i), part(estatePpm, survivors.size(), i), Long::sum);
    }
    return new InitialShares(bases);
  }

  private static long part(long whole, int count, int index) {
    return whole / count + (index < whole % count ? 1 : 0);
  }
}
