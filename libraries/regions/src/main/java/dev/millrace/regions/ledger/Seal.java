package dev.millrace.regions.ledger;

import java.util.Collection;
import java.util.List;

/**
 * A region's word that it neither gives to nor takes from the dead any more, whatever still arrives
 * from them. It names who is meant to be left, because all of those must have said the same before
 * anybody inherits.
 *
 * @param dead those who are evicted, in their order
 * @param survivors those who are left, in their order
 */
public record Seal(List<String> dead, List<String> survivors) {
  /** Orders the names, and checks that nobody is both. */
  public Seal {
    dead = RegionNames.requireAll(dead);
    survivors = RegionNames.requireAll(survivors);
    for (String name : dead) {
      if (survivors.contains(name)) {
        throw new IllegalArgumentException("region '" + name + "' is both dead and left");
      }
    }
  }

  /** A seal. */
  public static Seal of(Collection<String> dead, Collection<String> survivors) {
    return new Seal(List.copyOf(dead), List.copyOf(survivors));
  }
}
