package dev.millrace.simulator;

import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.Settlement;
import dev.millrace.Sharding;
import dev.millrace.admin.LimitTarget;
import dev.millrace.simulator.Scenario.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
  private static final long MICROS_PER_MS = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final String CHAT = "chat";

  private final long seed;
  private final Chance chance;
  private final Kind kind;
  private final List<SimulatedWorld.Kin> entities = new ArrayList<>();
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
    switch (kind) {
      case CONFIG_LEVELS -> configLevels();
      case TABLE_THROTTLING -> tableThrottling();
      case WAITING_CROWDS -> waitingCrowds();
      case LOST_SETTLEMENTS -> lostSettlements();
      default -> snapshotRestores();
    }
    List<NodeSpec> specs = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      specs.add(node(i));
    }
    SimulatedWorld setting =
        new SimulatedWorld(
            1_700_000_000_000L + chance.below(1_000_000_000L),
            micros,
            specs,
            entities,
            limits,
            Map.of(),
            Map.of(),
            weather,
            configAgeMs,
            SimulatedWorld.Spread.NONE,
            /* solo= */ false);
    return new Scenario(seed, kind, setting, actions);
  }

  private NodeSpec node(int index) {
    return new NodeSpec(
        "p" + index,
        chance.oneOf(NodeSpec.Port.values()),
        chance.between(-50, 50),
        /* driftPpm= */ 0,
        /* prefetch= */ kind == Kind.LOST_SETTLEMENTS && chance.perMille(150),
        kind == Kind.LOST_SETTLEMENTS && chance.perMille(500)
            ? Settlement.DEFERRED
            : Settlement.IMMEDIATE,
        chance.perMille(250),
        /* grouping= */ true,
        /* maxQueued= */ 10_000,
        /* maxWaiters= */ 10_000,
        /* maxLegThreads= */ 64,
        chance.oneOf(100L, 500L, 2_000L),
        chance.oneOf(1_000L, 600_000L),
        sharding,
        kind == Kind.LOST_SETTLEMENTS ? chance.oneOf(1, 3, 100) : NodeSpec.ALL_MIRRORS,
        listenerFailures,
        kind == Kind.SNAPSHOT_RESTORES);
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
    entities.add(new SimulatedWorld.Kin(entity, parent));
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
    ask(at, node, entity, /* maxWaitMs= */ 0);
  }

  private void ask(long at, int node, String entity, long maxWaitMs) {
    Chance luck = chance.split(asks++).split("ask");
    Map<String, Long> wanted = wanted(limitsOf(entity), luck);
    boolean joint = luck.perMille(kind == Kind.SNAPSHOT_RESTORES ? 300 : 50);
    actions.add(
        new Action.Ask(
            at,
            node,
            entity,
            Map.of(CHAT, wanted),
            /* limits= */ null,
            luck.perMille(400),
            joint ? Consistency.TRANSACTIONAL : Consistency.PARALLEL,
            maxWaitMs,
            /* giveUpMicros= */ maxWaitMs > 0 && luck.perMille(100)
                ? luck.between(1, maxWaitMs) * MICROS_PER_MS
                : 0,
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

  /**
   * Every process asks for some keys all the time, so that it looks up what holds for all of them
   * again and again, and for others seldom. What is set for one of those is followed by changes
   * that concern it only in so far as the levels are looked up with it.
   */
  private void configLevels() {
    nodes = (int) chance.between(2, 3);
    micros = chance.between(20, 30) * MICROS_PER_SECOND;
    configAgeMs = chance.oneOf(2_000L, 5_000L);
    weather = stale(chance.split("stale").oneOf(0, 300));
    long ageMicros = configAgeMs * MICROS_PER_MS;
    people(chance.between(3, 5), /* teamsPerMille= */ 300);
    for (int node = 0; node < nodes; node++) {
      for (int i = 0; i < askers.size(); i++) {
        boolean often = node == 0 || i == node;
        long mean = often ? ageMicros / 8 : ageMicros * 6 / 10;
        for (long at = chance.exponential(mean); at < micros; at += chance.exponential(mean)) {
          ask(at, node, askers.get(i));
        }
      }
    }
    Set<String> off = new HashSet<>();
    Map<String, LimitSet> current = new HashMap<>();
    long at = ageMicros;
    while (at < micros) { // ends: the time only grows
      String entity = entities.get(chance.below(entities.size())).entity();
      if (off.contains(entity) || chance.perMille(350)) {
        boolean on = off.remove(entity) || !off.add(entity);
        actions.add(new Action.Switch(at, entity, on));
      } else {
        LimitSet before = current.getOrDefault(entity, limitsOf(entity));
        LimitSet changed = Limits.changed(before, chance, /* scale= */ 1);
        current.put(entity, changed);
        actions.add(new Action.ChangeLimits(at, entity, CHAT, changed));
      }
      long weaker = chance.between(1, 4);
      for (int i = 0; i < weaker; i++) {
        at += chance.between(20, 200) * MICROS_PER_MS;
        actions.add(new Action.ChangeLevel(at, level(entity), spare()));
      }
      at += chance.between(ageMicros / 2, ageMicros * 2);
    }
  }

  private LimitTarget level(String entity) {
    return switch (chance.below(4)) {
      case 0 -> LimitTarget.system();
      case 1 -> LimitTarget.entity(entity);
      default -> LimitTarget.resource(CHAT);
    };
  }

  /** Limits that hold for none of those who ask: all have some of their own. */
  private LimitSet spare() {
    return LimitSet.of(Limit.perSecond("spare", chance.between(1, 1_000_000)));
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

  private Weather stale(int perMille) {
    return new Weather(halfTripMicros, 0, 0, 0, 0, 0, 0, 0, 0, perMille);
  }

  private Weather throttling(int perMille) {
    return new Weather(halfTripMicros, 0, 0, 0, 0, 0, perMille, 0, 0, 0);
  }

  /** Crowds that come one after another, so that a later one finds an earlier one in line. */
  private void waitingCrowds() {
    nodes = (int) chance.between(1, 2);
    people(/* keys= */ 1, /* teamsPerMille= */ 300);
    long crowds = chance.between(2, 6);
    for (int crowd = 0; crowd < crowds; crowd++) {
      long at = chance.below(micros / 2);
      int node = chance.below(nodes);
      long callers = chance.between(20, 120);
      for (int i = 0; i < callers; i++) {
        long maxWaitMs = chance.oneOf(500L, 3_000L, 10_000L);
        ask(at + chance.below(5 * MICROS_PER_MS), node, askers.get(0), maxWaitMs);
      }
    }
    traffic(chance.between(0, 40));
  }

  /**
   * Writes are throttled, find no connection, or lose their answers; processes are cut off, so that
   * their settlements wait, and are replaced meanwhile. Most of them remember few buckets. None
   * crashes: what leases were told must be written in the end.
   */
  private void lostSettlements() {
    nodes = (int) chance.between(1, 3);
    micros = chance.between(15, 30) * MICROS_PER_SECOND;
    people(chance.between(2, 6), /* teamsPerMille= */ 400);
    weather =
        new Weather(
            halfTripMicros,
            chance.oneOf(0, 0, 20),
            chance.oneOf(0, 0, 20),
            chance.oneOf(0, 0, 20),
            /* late= */ 0,
            /* slow= */ 0,
            chance.oneOf(0, 50, 300),
            chance.oneOf(0, 50, 300),
            chance.oneOf(0, 30),
            /* stale= */ 0);
    traffic(chance.between(150, 400));
    long cuts = chance.between(1, 4);
    for (int i = 0; i < cuts; i++) {
      int node = chance.below(nodes);
      long at = chance.below(micros);
      long cutMicros = chance.oneOf(300L, 2_000L, 7_000L) * MICROS_PER_MS;
      actions.add(new Action.CutOff(at, node, cutMicros));
      if (chance.perMille(600)) {
        actions.add(new Action.Redeploy(at + chance.below(2 * cutMicros), node));
      }
    }
  }

  /** The copies do much the same at much the same time, and answers are lost. */
  private void snapshotRestores() {
    nodes = (int) chance.between(2, 4);
    people(chance.between(1, 2), /* teamsPerMille= */ 600);
    weather =
        new Weather(
            halfTripMicros,
            chance.oneOf(15, 60),
            chance.oneOf(0, 30),
            chance.oneOf(0, 30),
            /* late= */ 0,
            /* slow= */ 0,
            /* throttled= */ 0,
            /* unreachable= */ 0,
            /* conflicts= */ 0,
            /* stale= */ 0);
    long count = chance.between(60, 200);
    for (int i = 0; i < count; i++) {
      long at = chance.below(micros);
      String entity = askers.get(chance.below(askers.size()));
      for (int node = 0; node < nodes; node++) {
        ask(at + chance.exponential(2 * halfTripMicros), node, entity);
      }
    }
    long crashes = chance.between(0, 3);
    for (int i = 0; i < crashes; i++) {
      long downMicros = chance.between(1, 500) * MICROS_PER_MS;
      actions.add(new Action.Crash(chance.below(micros), chance.below(nodes), downMicros));
    }
  }
}
