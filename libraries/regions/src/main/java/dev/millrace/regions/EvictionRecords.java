package dev.millrace.regions;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The records of an eviction in the evicted region: that it is evicted, so that a restarted process
 * knows it without the others; and that a new pair begins with nothing. Each is one conditional
 * write, and none where it exists already.
 */
final class EvictionRecords {
  /** Most writes of one record in one window; the next window tries again. */
  static final int MAX_ATTEMPTS = 8;

  private final RegionTable table;
  private final String namespace;

  EvictionRecords(RegionTable table, String namespace) {
    this.table = table;
    this.namespace = namespace;
  }

  void mark() {
    change(
        RecordKey.Config.ofSystem(namespace),
        system -> {
          RegionSite site = RegionSite.of(system);
          return site == null || site.sealedOff()
              ? system
              : system.withRegions(new RegionsPart(null, null, site.out().texts()));
        });
  }

  /** Removes all that entities of these resources share; operators' own limits stay. */
  void withdraw(Collection<String> resources, int leastPpm) {
    for (String resource : resources) {
      change(RecordKey.Config.ofResource(namespace, resource), config -> nothing(config, leastPpm));
    }
  }

  private static ConfigRecord nothing(ConfigRecord config, int leastPpm) {
    SharedLimits shared = SharedLimits.of(null, config, leastPpm);
    RegionsPart regions = config.regions();
    if (shared == null || regions == null) {
      return config;
    }
    List<Limit> limits = new ArrayList<>(shared.own());
    shared.whole().forEach(limit -> limits.add(SharedLimits.part(limit, 0)));
    LimitSet part = LimitSet.of(limits);
    return part.equals(regions.part())
        ? config
        : config.withRegions(new RegionsPart(regions.whole(), part, regions.texts()));
  }

  private void change(RecordKey.Config key, UnaryOperator<ConfigRecord> change) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      @Nullable ConfigRecord before = (ConfigRecord) table.lookup(List.of(key)).get(key);
      if (before == null) {
        return;
      }
      ConfigRecord after = change.apply(before);
      RecordChange put = new RecordChange.Put(after, before.version());
      if (after.equals(before) || table.transact(List.of(), List.of(put)) == null) {
        return;
      }
    }
  }
}
