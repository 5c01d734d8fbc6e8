package dev.millrace.regions;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a pair: those that regions share, whole, and those that are the region's own.
 *
 * @param own the other limits of the same level
 */
record SharedLimits(List<GlobalLimit> whole, List<Limit> own) {
  /** A limit that admits no request: none is for less than a token. */
  private static final long NOTHING_MILLI = 1;

  /**
   * The shared limits of a pair, null for none.
   *
   * @param leastPpm the smallest share that a region keeps
   */
  static @Nullable SharedLimits of(
      @Nullable ConfigRecord ofPair, @Nullable ConfigRecord ofResource, int leastPpm) {
    RegionsPart declared = declared(ofPair);
    if (declared == null) {
      declared = declared(ofResource);
    }
    LimitSet whole = declared == null ? null : declared.whole();
    if (declared == null || whole == null) {
      return null;
    }
    List<GlobalLimit> shared = new ArrayList<>();
    whole.forEach(limit -> shared.add(GlobalLimit.of(limit, leastPpm)));
    List<Limit> own = new ArrayList<>();
    LimitSet part = declared.part();
    if (part != null) {
      part.forEach(
          limit -> {
            if (whole.indexOf(limit.name()) < 0) {
              own.add(limit);
            }
          });
    }
    return new SharedLimits(shared, own);
  }

  private static @Nullable RegionsPart declared(@Nullable ConfigRecord config) {
    RegionsPart regions = config == null ? null : config.regions();
    return regions == null || regions.whole() == null ? null : regions;
  }

  /** The limits that a region with this share enforces. */
  static Limit part(GlobalLimit limit, int sharePpm) {
    return limit
        .part(sharePpm)
        .orElseGet(
            () ->
                new Limit(
                    limit.whole().name(),
                    NOTHING_MILLI,
                    NOTHING_MILLI,
                    Refill.of(NOTHING_MILLI, limit.whole().refill().periodMs()),
                    limit.whole().soft()));
  }
}
