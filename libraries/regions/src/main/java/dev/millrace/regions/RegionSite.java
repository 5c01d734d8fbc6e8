package dev.millrace.regions;

import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.RegionDeclaration;
import dev.millrace.regions.internal.ledger.RegionNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The region of a table, and the regions it shares limits with. Kept with the settings of the
 * namespace.
 *
 * @param self the region
 * @param declaration the sharing regions, identical in all regions
 * @param sealedOff whether the region has learnt from another that it is evicted. It is kept,
 *     because a process that restarts while S3 is unavailable must know it too
 */
public record RegionSite(String self, RegionDeclaration declaration, boolean sealedOff) {
  private static final String SELF = "self";
  private static final String FOUNDERS = "founders";
  private static final String REGIONS = "regions";
  private static final String DRAINING = "draining";
  private static final String EVICTIONS = "evictions";
  private static final String SEALED_OFF = "sealedOff";

  public RegionSite {
    RegionNames.require(self);
    if (!declaration.regions().contains(self)) {
      throw new IllegalArgumentException(
          "region '" + self + "' is none of " + declaration.regions());
    }
  }

  /** A site that is not evicted. */
  public RegionSite(String self, RegionDeclaration declaration) {
    this(self, declaration, false);
  }

  /** Whether the region is evicted, and must refuse everything that it shared. */
  public boolean isOut() {
    return sealedOff || declaration.isEvicted(self);
  }

  /** The same, with the knowledge that it is evicted. */
  RegionSite out() {
    return new RegionSite(self, declaration, true);
  }

  /** The other regions that are not evicted. */
  public List<String> others() {
    return declaration.left().stream().filter(region -> !region.equals(self)).toList();
  }

  /**
   * Regions that were to seal an eviction, and are evicted themselves. Their last snapshots may
   * have that seal, which regions that have not inherited yet must see.
   */
  List<String> sealedAndGone() {
    return declaration.regions().stream()
        .filter(region -> !region.equals(self) && declaration.isEvicted(region))
        .filter(
            region ->
                declaration.evictions().stream()
                    .anyMatch(seal -> seal.survivors().contains(region)))
        .toList();
  }

  /** The same region, with another declaration. */
  public RegionSite with(RegionDeclaration next) {
    return new RegionSite(self, next, sealedOff);
  }

  /** All fields by name, for machines. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("region", self);
    fields.put("founders", declaration.founders());
    fields.put("regions", declaration.regions());
    fields.put("draining", new TreeSet<>(declaration.draining()));
    fields.put("out", isOut());
    fields.put(
        "evictedRegions", declaration.regions().stream().filter(declaration::isEvicted).toList());
    return fields;
  }

  SortedMap<String, String> texts() {
    SortedMap<String, String> texts = new TreeMap<>();
    texts.put(SELF, self);
    texts.put(FOUNDERS, String.join(",", declaration.founders()));
    texts.put(REGIONS, String.join(",", declaration.regions()));
    texts.put(DRAINING, String.join(",", new TreeSet<>(declaration.draining())));
    texts.put(EVICTIONS, LedgerText.seals(declaration.evictions()));
    if (sealedOff) {
      texts.put(SEALED_OFF, "true");
    }
    return texts;
  }

  /** The site in the settings of a namespace; null when it shares nothing. */
  static @Nullable RegionSite of(@Nullable ConfigRecord system) {
    RegionsPart regions = system == null ? null : system.regions();
    return regions == null ? null : ofTexts(regions.texts());
  }

  static @Nullable RegionSite ofTexts(SortedMap<String, String> texts) {
    if (!texts.containsKey(SELF)) {
      return null;
    }
    return new RegionSite(
        texts.getOrDefault(SELF, ""),
        new RegionDeclaration(
            names(texts, FOUNDERS),
            names(texts, REGIONS),
            Set.copyOf(names(texts, DRAINING)),
            LedgerText.seals(texts.getOrDefault(EVICTIONS, ""))),
        texts.containsKey(SEALED_OFF));
  }

  private static List<String> names(SortedMap<String, String> texts, String name) {
    return LedgerText.parts(texts.getOrDefault(name, ""), ",");
  }
}
