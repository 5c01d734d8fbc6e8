package dev.millrace.regions.internal.ledger;

import dev.millrace.regions.EvictionSeal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The regions that share a limit, as operators declare them, identical in all regions.
 *
 * @param founders the regions that divided it at the beginning; they never change, not even when
 *     one is evicted
 * @param regions all regions ever: founders, later ones and evicted ones
 * @param draining the regions that give away all they have
 * @param evictions the evicted regions and those that were left, in order of time
 */
public record RegionDeclaration(
    List<String> founders,
    List<String> regions,
    Set<String> draining,
    List<EvictionSeal> evictions) {
  public RegionDeclaration {
    founders = RegionNames.requireAll(founders);
    regions = RegionNames.requireAll(regions);
    draining = Set.copyOf(draining);
    evictions = List.copyOf(evictions);
    requireDeclared("founder", founders, regions);
    requireDeclared("draining", draining, regions);
    for (EvictionSeal seal : evictions) {
      requireDeclared("evicted", seal.dead(), regions);
      requireDeclared("left", seal.survivors(), regions);
    }
  }

  private static void requireDeclared(
      String field, Collection<String> names, Collection<String> regions) {
    for (String name : names) {
      if (!regions.contains(name)) {
        throw new IllegalArgumentException(field + " '" + name + "' is none of " + regions);
      }
    }
  }

  /** Regions that share a limit from the beginning. */
  public static RegionDeclaration of(Collection<String> founders) {
    List<String> names = List.copyOf(founders);
    return new RegionDeclaration(names, names, Set.of(), List.of());
  }

  /** The same with a region that begins with nothing. */
  public RegionDeclaration adding(String region) {
    TreeSet<String> more = new TreeSet<>(regions);
    more.add(region);
    return new RegionDeclaration(founders, List.copyOf(more), draining, evictions);
  }

  /** The same with a region that gives away all it has. */
  public RegionDeclaration draining(String region) {
    TreeSet<String> more = new TreeSet<>(draining);
    more.add(region);
    return new RegionDeclaration(founders, regions, more, evictions);
  }

  /**
   * The same with a region that is gone for good. When the previous eviction is not done, all
   * remaining regions must seal it, and this region is one of them. So it depends on whether it
   * has: if its last snapshot has that seal, the two evictions follow each other. If not, no region
   * can have inherited yet, and the two become one.
   *
   * @param sealed the seals in the last snapshot of the region that is gone
   */
  public RegionDeclaration evicting(String dead, List<EvictionSeal> sealed) {
    List<EvictionSeal> all = new ArrayList<>(evictions);
    TreeSet<String> gone = new TreeSet<>(List.of(dead));
    while (!all.isEmpty() && !sealed.contains(all.get(all.size() - 1))) { // shorter each time
      EvictionSeal last = all.remove(all.size() - 1);
      if (!last.survivors().contains(dead)) {
        all.add(last);
        break;
      }
      gone.addAll(last.dead());
    }
    List<String> survivors = left().stream().filter(name -> !name.equals(dead)).toList();
    all.add(EvictionSeal.of(gone, survivors));
    return new RegionDeclaration(founders, regions, draining, all);
  }

  /**
   * The same with an eviction as other regions have sealed it already: the set of regions may have
   * been another one then. An existing eviction stays.
   */
  public RegionDeclaration adopting(EvictionSeal seal) {
    if (seal.dead().stream().anyMatch(this::isEvicted)) {
      return this;
    }
    List<EvictionSeal> all = new ArrayList<>(evictions);
    all.add(seal);
    return new RegionDeclaration(founders, regions, draining, all);
  }

  /** The regions that are not evicted, in their order. */
  public List<String> left() {
    return regions.stream().filter(name -> !isEvicted(name)).toList();
  }

  /** Whether {@code region} is gone for good. */
  public boolean isEvicted(String region) {
    return evictions.stream().anyMatch(seal -> seal.dead().contains(region));
  }

  /** The ledger of a region that has none yet. */
  public LimitLedger initial(String region) {
    return LimitLedger.initial(region, InitialShares.of(founders));
  }

  /** The seal that {@code ledger} has to carry next; empty when all evictions are done. */
  public Optional<EvictionSeal> sealFor(LimitLedger ledger) {
    return evictions.stream()
        .filter(seal -> !ledger.evicted().containsAll(seal.dead()))
        .findFirst();
  }
}
