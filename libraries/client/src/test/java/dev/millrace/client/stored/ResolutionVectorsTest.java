package dev.millrace.client.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.vectors.RecordedVectors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Comparison with the recorded resolutions of the original: which level wins, with what capacity,
 * what is stored about an unavailable store, what is fetched, and how often.
 */
class ResolutionVectorsTest {
  private static final int ROWS = 243;
  private static final String NAMESPACE = "NS";
  private static final String ENTITY = "e";
  private static final String RESOURCE = "res";

  /** The levels as the file calls them. */
  private enum Level {
    ENTITY("entity", ConfigLevel.ENTITY_RESOURCE, 1),
    ENTITY_DEFAULT("entity_default", ConfigLevel.ENTITY, 2),
    RESOURCE("resource", ConfigLevel.RESOURCE, 3),
    SYSTEM("system", ConfigLevel.SYSTEM, 4);

    final String name;
    final ConfigLevel level;
    final long capacity;

    Level(String name, ConfigLevel level, long capacity) {
      this.name = name;
      this.level = level;
      this.capacity = capacity;
    }

    RecordKey.Config key() {
      return switch (level) {
        case ENTITY_RESOURCE ->
            RecordKey.Config.ofEntityResource(
                NAMESPACE, ResolutionVectorsTest.ENTITY, ResolutionVectorsTest.RESOURCE);
        case ENTITY -> RecordKey.Config.ofEntity(NAMESPACE, ResolutionVectorsTest.ENTITY);
        case RESOURCE -> RecordKey.Config.ofResource(NAMESPACE, ResolutionVectorsTest.RESOURCE);
        case SYSTEM -> RecordKey.Config.ofSystem(NAMESPACE);
        case CALL -> throw new AssertionError("not stored");
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void resolution_vectors_agree(Style style) {
    JsonNode rows = RecordedVectors.read("config_resolution");
    int compared = 0;
    for (JsonNode row : rows) {
      compare(style, row, /* cached= */ false);
      compare(style, row, /* cached= */ true);
      compared++;
    }
    assertThat(compared).isEqualTo(ROWS);
  }

  private void compare(Style style, JsonNode row, boolean cached) {
    HierarchyBench bench = bench(row);
    // The recorded limiter had no cache: what it knows is too old a moment later.
    Duration age = Duration.ofMillis(cached ? 60_000 : 1);
    try (Caller caller =
        bench.caller(style, bench.options().namespaceId(NAMESPACE).configAge(age))) {
      acquire(bench, caller, row);
      bench.advance(1);
      acquire(bench, caller, row);

      List<StoreCall.Lookup> fetches =
          bench.calls.calls().stream()
              .filter(StoreCall.Lookup.class::isInstance)
              .map(StoreCall.Lookup.class::cast)
              .toList();
      assertThat(fetches).as("%s", row).hasSize(cached ? 1 : row.get("out_fetches").asInt());
      assertThat(configKeys(fetches.get(0))).as("%s", row).isEqualTo(recordedKeys(row));
      assertPolicy(bench, caller, row);
    }
  }

  private static HierarchyBench bench(JsonNode row) {
    HierarchyBench bench = new HierarchyBench();
    for (Level level : Level.values()) {
      JsonNode stored = row.get("levels").get(level.name);
      if (stored.isNull()) {
        continue;
      }
      ConfigRecord config = ConfigRecord.empty(level.key());
      if (stored.asText().equals("set")) {
        config = config.withLimits(LimitSet.of(Limit.perMinute("rpm", level.capacity)));
      }
      if (level == Level.SYSTEM && !row.get("on_unavailable").isNull()) {
        config = config.withOnUnavailable(policy(row.get("on_unavailable").asText()));
      }
      bench.memory.put(config);
    }
    return bench;
  }

  private static OnUnavailable policy(String recorded) {
    return OnUnavailable.valueOf(recorded.toUpperCase(Locale.ROOT));
  }

  private static void acquire(HierarchyBench bench, Caller caller, JsonNode row) {
    AcquireRequest request = AcquireRequest.of(ENTITY, RESOURCE).consume("rpm", 0);
    if (row.get("out_source").isNull()) {
      assertThatExceptionOfType(LimiterConfigurationException.class)
          .as("%s", row)
          .isThrownBy(() -> caller.acquire(request));
      return;
    }
    caller.acquire(request);
    BucketState state = bench.state(BucketKey.first(NAMESPACE, ENTITY, RESOURCE));
    Level winner = level(row.get("out_source").asText());
    assertThat(state.stamp().level()).as("%s", row).isEqualTo(winner.level);
    assertThat(state.limits())
        .as("%s", row)
        .singleElement()
        .satisfies(
            limit ->
                assertThat(limit.limit().capacityMilli() / Limit.MILLI)
                    .isEqualTo(row.get("out_capacity").asLong()));
  }

  private static Level level(String recorded) {
    for (Level level : Level.values()) {
      if (level.name.equals(recorded)) {
        return level;
      }
    }
    throw new AssertionError("unknown level " + recorded);
  }

  private static List<List<String>> recordedKeys(JsonNode row) {
    List<List<String>> keys = new ArrayList<>();
    for (JsonNode key : row.get("out_keys_first")) {
      keys.add(List.of(key.get(0).asText(), key.get(1).asText()));
    }
    return keys;
  }

  /** What is fetched beside them (the entity, the namespace, the schema) is ours. */
  private static List<List<String>> configKeys(StoreCall.Lookup fetch) {
    List<List<String>> keys = new ArrayList<>();
    for (RecordKey key : fetch.keys()) {
      if (key instanceof RecordKey.Config config) {
        String ns = config.namespace();
        keys.add(
            switch (config.level()) {
              case ENTITY_RESOURCE ->
                  List.of(ns + "/ENTITY#" + config.entityId(), "#CONFIG#" + config.resource());
              case ENTITY -> List.of(ns + "/ENTITY#" + config.entityId(), "#CONFIG#_default_");
              case RESOURCE -> List.of(ns + "/RESOURCE#" + config.resource(), "#CONFIG");
              case SYSTEM -> List.of(ns + "/SYSTEM#", "#CONFIG");
              case CALL -> throw new AssertionError("not stored");
            });
      }
    }
    return keys;
  }

  /** What is stored about an unavailable store shows when it is one. */
  private static void assertPolicy(HierarchyBench bench, Caller caller, JsonNode row) {
    if (row.get("out_source").isNull()) {
      return; // without limits nobody gets as far as that
    }
    bench.faults.always(Calls.any(), Fault.throttle());
    bench.advance(120_000);
    AcquireRequest request = AcquireRequest.of(ENTITY, RESOURCE).consume("rpm", 1);
    JsonNode recorded = row.get("out_on_unavailable");
    if (!recorded.isNull() && policy(recorded.asText()) == OnUnavailable.ALLOW) {
      assertThat(caller.acquire(request).isDegraded()).as("%s", row).isTrue();
    } else {
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .as("%s", row)
          .isThrownBy(() -> caller.acquire(request));
    }
  }
}
