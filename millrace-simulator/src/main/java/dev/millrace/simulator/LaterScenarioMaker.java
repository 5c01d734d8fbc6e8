package dev.millrace.simulator;

import dev.millrace.client.Sharding;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.Consistency;
import dev.millrace.core.request.Settlement;
import dev.millrace.simulator.Scenario.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a history of one of the kinds that came later, from its seed. Each is about one thing that
 * goes wrong, so often that it meets everything else within seconds.
 */
final class LaterScenarioMaker {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final String CHAT = "chat";

  private final long seed;
  private final Chance chance;
  private final Kind kind;
  private final List<Setting.Kin> entities = new ArrayList<>();
  private final Map<String, LimitSet> limits = new LinkedHashMap<>();
  private final List<String> askers = new ArrayList<>();
  private final List<Action> actions = new ArrayList<>();
  private final int listenerFailures;
  private int nodes;
  private long micros;
  private long halfTripMicros;
  private long configAgeMs = 60_000;
  private Weather weather;
  private Sharding sharding = Sharding.DEFAULT.withMaxShards(1);
  private int asks;

  LaterScenarioMaker(long seed) {
    this.seed = seed;
    this.chance = new Chance(seed).split("scenario");
    this.kind = Scenario.kind(seed);
    this.halfTripMicros = chance.oneOf(200L, 1_000L, 3_000L);
    this.weather = Weather.fair(halfTripMicros);
    this.listenerFailures = chance.perMille(250) ? 100 : 0;
  }

  Scenario make() {
    nodes = (int) chance.between(1, 3);
    micros = chance.between(8, 20) * MICROS_PER_SECOND;
    tableThrottling();
    List<NodeSpec> specs = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      specs.add(node(i));
    }
    Setting setting =
        new Setting(
            1_700_000_000_000L + chance.below(1_000_000_000L),
            micros,
            specs,
            entities,
            limits,
            Map.of(),
            Map.of(),
            weather,
            configAgeMs,
            Setting.Spread.NONE,
            /* solo= */ false);
    return new Scenario(seed, kind, setting, actions);
  }

  private NodeSpec node(int index) {
    return new NodeSpec(
        "p" + index,
        chance.oneOf(NodeSpec.Port.values()),
        chance.between(-50, 50),
        /* driftPpm= */ 0,
        /* prefetch= */ false,
        Settlement.IMMEDIATE,
        chance.perMille(250),
        /* grouping= */ true,
        /* maxQueued= */ 10_000,
        /* maxWaiters= */ 10_000,
        /* maxLegThreads= */ 64,
        chance.oneOf(100L, 500L, 2_000L),
        chance.oneOf(1_000L, 600_000L),
        sharding,
        NodeSpec.ALL_MIRRORS,
        listenerFailures);
  }

  /** Keys, each with limits of its own; perhaps of a team with others. */
  private void people(long keys, int teamsPerMille) {
    boolean team = chance.perMille(teamsPerMille);
    if (team) {
      join("team0", null, 6);
    }
    for (int i = 0; i < keys; i++) {
      join("key" + i, team ? "team0" : null, 2);
      askers.add("key" + i);
    }
  }

  private void join(String entity, @Nullable String parent, int scale) {
    entities.add(new Setting.Kin(entity, parent));
    limits.put(entity + "/" + CHAT, Limits.of(chance, scale, /* mayMeter= */ false));
  }

  private LimitSet limitsOf(String entity) {
    return Objects.requireNonNull(limits.get(entity + "/" + CHAT));
  }

  /** So many requests of keys and processes by chance. */
  private void traffic(long count) {
    for (int i = 0; i < count; i++) {
      ask(chance.below(micros), chance.below(nodes), askers.get(chance.below(askers.size())));
    }
  }

  private void ask(long at, int node, String entity) {
    Chance luck = chance.split(asks++).split("ask");
    Map<String, Long> wanted = wanted(limitsOf(entity), luck);
    boolean joint = luck.perMille(50);
    actions.add(
        new Action.Ask(
            at,
            node,
            entity,
            Map.of(CHAT, wanted),
            /* limits= */ null,
            luck.perMille(400),
            joint ? Consistency.TRANSACTIONAL : Consistency.PARALLEL,
            /* maxWaitMs= */ 0,
            /* giveUpMicros= */ 0,
            luck.exponential(luck.oneOf(1_000L, 50_000L, 500_000L)),
            luck.perMille(700) ? adjusts(entity, wanted, luck) : Map.of(),
            /* more= */ Map.of(),
            luck.perMille(100) ? Action.End.CANCEL : Action.End.CLOSE));
  }

  private static Map<String, Long> wanted(LimitSet set, Chance luck) {
    Map<String, Long> wanted = new LinkedHashMap<>();
    for (Limit limit : set) {
      if (wanted.isEmpty() || luck.perMille(600)) {
        long most = limit.burstMilli() / Limit.MILLI;
        wanted.put(limit.name(), luck.between(1, Math.max(1, most / 10)));
      }
    }
    return wanted;
  }

  /** What was asked for turns out to be more or less, and what was not asked for is charged too. */
  private Map<String, Long> adjusts(String entity, Map<String, Long> wanted, Chance luck) {
    Map<String, Long> adjusts = new HashMap<>();
    wanted.forEach(
        (limit, amount) ->
            adjusts.put(limit, luck.perMille(500) ? -luck.below(amount + 1) : luck.between(1, 30)));
    Set<String> others = new LinkedHashSet<>(limitsOf(entity).names());
    if (limits.containsKey("team0/" + CHAT)) {
      others.addAll(limitsOf("team0").names());
    }
    others.removeAll(wanted.keySet());
    for (String other : others) {
      if (luck.perMille(300)) {
        adjusts.put(other, luck.between(1, 30));
      }
    }
    return adjusts;
  }

  /** Many buckets that are asked about once a second, and a table that turns away what it can. */
  private void tableThrottling() {
    nodes = (int) chance.between(1, 2);
    people(chance.between(10, 25), /* teamsPerMille= */ 0);
    weather = throttling(chance.oneOf(100, 300));
    sharding =
        new Sharding(
            Sharding.MAX_SHARDS,
            Duration.ofMillis(chance.oneOf(10L, 1_000L)),
            Duration.ofMinutes(5),
            Sharding.MAX_SHARDS,
            NodeSpec.FREE_WIDE);
    traffic(askers.size() * micros / MICROS_PER_SECOND);
  }

  private Weather throttling(int perMille) {
    return new Weather(halfTripMicros, 0, 0, 0, 0, 0, perMille, 0, 0, 0);
  }
}
