package dev.millrace.regions;

import dev.millrace.regions.internal.ledger.RegionNames;
import java.util.Collection;
import java.util.List;

/**
 * A region's declaration that it neither gives to nor takes from the evicted regions any more,
 * whatever still arrives from them. It names the survivors, because all of them must have sealed
 * the same set before any of them inherits.
 *
 * @param dead the evicted regions, in their order
 * @param survivors the remaining regions, in their order
 */
public record EvictionSeal(List<String> dead, List<String> survivors) {
  /** Orders the names, and checks that no region is both. */
  public EvictionSeal {
    dead = RegionNames.requireAll(dead);
    survivors = RegionNames.requireAll(survivors);
    for (String name : dead) {
      if (survivors.contains(name)) {
        throw new IllegalArgumentException("region '" + name + "' is both evicted and a survivor");
      }
    }
  }

  /** A seal. */
  public static EvictionSeal of(Collection<String> dead, Collection<String> survivors) {
    return new EvictionSeal(List.copyOf(dead), List.copyOf(survivors));
  }
}
