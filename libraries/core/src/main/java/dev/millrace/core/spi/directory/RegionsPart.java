package dev.millrace.core.spi.directory;

import dev.millrace.LimitSet;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of a configuration record in which regions that share limits keep their state. It is in
 * the same record as the limits that this region enforces, so that one conditional write changes
 * both.
 *
 * @param whole the limits that all regions share, as operators gave them; null where a weaker level
 *     says so, or none
 * @param part what this region enforces of them, null where a weaker level says so
 * @param texts what the exchange keeps, by name: it alone knows what they mean
 */
public record RegionsPart(
    @Nullable LimitSet whole, @Nullable LimitSet part, SortedMap<String, String> texts) {
  /** Keeps a copy of the texts. */
  public RegionsPart {
    texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
  }
}
