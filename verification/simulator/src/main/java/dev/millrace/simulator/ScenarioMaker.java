package dev.millrace.simulator;

import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.Settlement;
import dev.millrace.Sharding;
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

/** Makes a history from a seed. */
final class ScenarioMaker {
  private static final long MICROS_PER_MS = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MICROS_PER_HOUR = 3_600 * MICROS_PER_SECOND;
  private static final List<String> RESOURCES = List.of("chat", "image");

  private final long seed;
  private final int size;
  private final Chance chance;
  private final Kind kind;
  private final List<SimulatedWorld.Kin> entities = new ArrayList<>();
  private final Map<String, LimitSet> limits = new LinkedHashMap<>();
  private final Map<String, LimitSet> byResource = new LinkedHashMap<>();
  private final Map<String, LimitSet> byCall = new LinkedHashMap<>();
  private final List<String> askers = new ArrayList<>();
  private final List<String> teams = new ArrayList<>();
  private final List<Action> actions = new ArrayList<>();
  private int nodes;
  private long micros;
  private long halfTripMicros;
  private final boolean divides;

  /** Whether callers settle limits that they did not name when they asked. */
  private final boolean settlesUnnamed;

  private Sharding sharding = Sharding.DEFAULT.withMaxShards(1);

  /**
   * Whether processes remember buckets for long: who looks at a bucket anew looks up its limits.
   */
  private boolean remember;

  /**
   * A maker.
   *
   * @param size how many times as much is asked as usual
   */
  ScenarioMaker(long seed, int size) {
    this.seed = seed;
    this.size = size;
    this.chance = new Chance(seed).split("scenario");
    this.kind = Scenario.kind(seed);
    this.divides = Scenario.divides(kind);
    this.settlesUnnamed = new Chance(seed).split("unnamed").perMille(250);
  }

  Scenario make() {
    nodes = isAlone() ? 1 : (int) chance.between(1, 4);
    micros = chance.between(3, divides ? 20 : 40) * MICROS_PER_SECOND;
    people();
    if (divides) {
      sharding = sharding();
    }
    halfTripMicros = chance.oneOf(200L, 1_000L, 3_000L, 10_000L);
    Weather fair = Weather.fair(halfTripMicros);
    boolean foul =
        is(Kind.STORM, Kind.EVERYTHING, Kind.DIVIDED_STORM, Kind.DIVIDED_EVERYTHING)
            || (is(Kind.OPERATORS) && chance.perMille(400));
    Weather weather = foul && chance.perMille(600) ? Weather.foul(chance, halfTripMicros) : fair;
    if (isAlone()) {
      alone();
    } else {
      crowd();
    }
    if (foul) {
      storms();
    }
    if (is(Kind.CHURN, Kind.EVERYTHING, Kind.DIVIDED_STORM, Kind.DIVIDED_EVERYTHING)) {
      churn();
    }
    if (kind == Kind.OVERLOAD) {
      interrupts();
    }
    if (is(Kind.CLOCKS, Kind.EVERYTHING, Kind.DIVIDED_EVERYTHING)) {
      clocks();
    }
    if (is(Kind.OPERATORS, Kind.EVERYTHING, Kind.DIVIDED_EVERYTHING)) {
      operate();
    }
    if (divides && !isAlone()) {
      resize();
    }
    if (kind == Kind.IDLE || (is(Kind.DIVIDED_EVERYTHING) && chance.perMille(200))) {
      idle();
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
            byResource,
            byCall,
            weather,
            chance.oneOf(2_000L, 5_000L, 60_000L),
            divides ? spread() : SimulatedWorld.Spread.NONE,
            isAlone());
    return new Scenario(seed, kind, setting, actions);
  }

  /** Whether one caller asks at a time, and nothing goes wrong. */
  private boolean isAlone() {
    return is(Kind.SOLO, Kind.DIVIDED_ALONE);
  }

  /** Partitions that bear little, so that a little is too much. */
  private SimulatedWorld.Spread spread() {
    return isAlone()
        ? new SimulatedWorld.Spread((int) chance.between(1, 3), /* throttles= */ false)
        : new SimulatedWorld.Spread(
            chance.oneOf(3, 6, 15, 40), /* throttles= */ chance.perMille(400));
  }

  /** Buckets grow and shrink within seconds. */
  private Sharding sharding() {
    boolean free = chance.perMille(800);
    return new Sharding(
        chance.oneOf(2, 4, 8, 64, 64),
        Duration.ofMillis(chance.oneOf(10L, 60L, 500L)),
        Duration.ofMillis(chance.oneOf(60L, 500L, 2_500L, 20_000L)),
        free ? Sharding.MAX_SHARDS : chance.oneOf(1, 3, 64),
        free ? 100_000 : chance.oneOf(0, 1, 20));
  }

  /** Operators who know better how many shards there should be. */
  private void resize() {
    long count = chance.between(0, 8);
    for (int i = 0; i < count; i++) {
      String entity = askers.get(chance.below(askers.size()));
      actions.add(
          new Action.Resize(
              chance.below(micros),
              chance.perMille(200) && !teams.isEmpty() ? teams.get(0) : entity,
              RESOURCES.get(chance.perMille(800) ? 0 : 1),
              chance.oneOf(1, 2, 4, 8, 64)));
    }
  }

  private boolean is(Kind... kinds) {
    for (Kind each : kinds) {
      if (each == kind) {
        return true;
      }
    }
    return false;
  }

  /**
   * Who there is: keys, perhaps of teams, perhaps of an organisation, and some without a record.
   */
  private void people() {
    boolean meters = !isAlone();
    if (kind != Kind.IDLE && chance.perMille(650)) {
      boolean org = chance.perMille(500);
      if (org) {
        join("org", null, 6, meters);
      }
      long count = chance.between(1, 2);
      for (int i = 0; i < count; i++) {
        join("team" + i, org ? "org" : null, 3, meters);
        teams.add("team" + i);
      }
    }
    boolean few = divides || is(Kind.OVERLOAD, Kind.SOLO);
    long keys = few ? chance.between(1, 2) : chance.between(1, 4);
    for (int i = 0; i < keys; i++) {
      String key = "key" + i;
      if (teams.isEmpty() && chance.perMille(kind == Kind.IDLE ? 1_000 : 300)) {
        for (String resource : RESOURCES) {
          byCall.put(key + "/" + resource, Limits.of(chance, 1, meters));
        }
      } else {
        join(key, teams.isEmpty() ? null : teams.get(chance.below(teams.size())), 1, meters);
      }
      askers.add(key);
    }
  }

  private void join(String entity, @Nullable String parent, int scale, boolean meters) {
    entities.add(new SimulatedWorld.Kin(entity, parent));
    for (String resource : RESOURCES) {
      limits.put(entity + "/" + resource, Limits.of(chance, scale, meters));
    }
  }

  private NodeSpec node(int index) {
    boolean off = is(Kind.CLOCKS, Kind.EVERYTHING, Kind.DIVIDED_EVERYTHING);
    boolean tight =
        is(Kind.OVERLOAD, Kind.EVERYTHING, Kind.DIVIDED_EVERYTHING) && chance.perMille(400);
    boolean solo = isAlone();
    return new NodeSpec(
        "p" + index,
        chance.oneOf(NodeSpec.Port.values()),
        off
            ? chance.oneOf(0L, 300L, -300L, 900L, -5_000L, 20_000L, 3_600_000L)
            : solo ? 0 : chance.between(-50, 50),
        off ? chance.oneOf(0, 50, -50, 500) : 0,
        !solo && chance.perMille(250),
        !solo && chance.perMille(250) ? Settlement.DEFERRED : Settlement.IMMEDIATE,
        chance.perMille(250),
        solo || chance.perMille(900),
        tight ? (int) chance.between(1, 5) : 10_000,
        tight ? (int) chance.between(1, 3) : 10_000,
        tight ? 1 : (int) chance.between(1, 16),
        solo ? 2_000L : chance.oneOf(100L, 500L, 2_000L),
        remember ? 600_000L : chance.oneOf(1_000L, 5_000L, 600_000L),
        // Not everybody must divide, but all must get along with buckets that are divided.
        divides && !solo && chance.perMille(150) ? sharding.withMaxShards(1) : sharding,
        NodeSpec.ALL_MIRRORS,
        /* listenerFailures= */ 0,
        /* restored= */ false);
  }

  /** One caller after another; what was refused is asked for again at the exact time. */
  private void alone() {
    long at = 10 * MICROS_PER_MS;
    for (int i = 0; i < 120 * size; i++) {
      at += chance.oneOf(0L, 1L, 20L, 300L, 2_500L, 70_000L) * MICROS_PER_MS + 100 * MICROS_PER_MS;
      actions.add(ask(at, i, /* alone= */ true));
    }
    micros = at + MICROS_PER_SECOND;
  }

  private void crowd() {
    int asks = (int) chance.between(200, 900) * size;
    int each = is(Kind.OVERLOAD) ? 40 : 8;
    for (int i = 0; i < asks; ) {
      long at = chance.below(micros);
      long together = chance.perMille(700) ? 1 : chance.between(2, each);
      for (int j = 0; j < together; j++) {
        actions.add(ask(at + chance.exponential(300), i++, /* alone= */ false));
      }
    }
  }

  private Action.Ask ask(long at, int number, boolean alone) {
    Chance luck = chance.split(number).split("ask");
    String entity = askers.get(luck.below(askers.size()));
    Map<String, Map<String, Long>> tokens = new LinkedHashMap<>();
    String resource = RESOURCES.get(luck.perMille(800) ? 0 : 1);
    LimitSet told = told(entity, resource, luck);
    LimitSet set = told == null ? limits.get(entity + "/" + resource) : told;
    Map<String, Long> wanted = wanted(set, luck);
    tokens.put(resource, wanted);
    if (told == null && luck.perMille(80)) {
      String other = RESOURCES.get(resource.equals("chat") ? 1 : 0);
      tokens.put(other, wanted(limits.get(entity + "/" + other), luck));
    }
    boolean waits = !alone && luck.perMille(is(Kind.OVERLOAD) ? 300 : 100);
    Map<String, Long> adjust = new HashMap<>();
    Map<String, Long> more = new HashMap<>();
    if (luck.perMille(alone ? 100 : 350)) {
      wanted.forEach(
          (limit, amount) -> {
            if (luck.perMille(700)) {
              adjust.put(
                  limit,
                  luck.perMille(500)
                      ? -luck.below(amount + 1)
                      : luck.between(0, luck.perMille(100) ? 20 * amount : 2 * amount));
            }
          });
    }
    if (settlesUnnamed) {
      addUnnamed(adjust, entity, resource, set, wanted, chance.split(number).split("unnamed"));
    }
    if (!alone && luck.perMille(60)) {
      more.put(wanted.keySet().iterator().next(), luck.between(1, 3));
    }
    return new Action.Ask(
        at,
        luck.below(nodes),
        entity,
        tokens,
        told,
        luck.perMille(alone ? 500 : 250),
        luck.perMille(alone ? 100 : 150) ? Consistency.TRANSACTIONAL : Consistency.PARALLEL,
        waits ? luck.oneOf(5L, 200L, 2_000L, 20_000L) : 0,
        !alone && luck.perMille(30) ? luck.between(1, 5_000) : 0,
        alone ? 0 : hold(luck),
        adjust,
        more,
        luck.perMille(120)
            ? Action.End.CANCEL
            : luck.perMille(30) ? Action.End.LEAVE_OPEN : Action.End.CLOSE);
  }

  /**
   * Reserves one thing and settles another: limits of the entity and of those above it that the
   * request does not name.
   */
  private void addUnnamed(
      Map<String, Long> adjust,
      String entity,
      String resource,
      @Nullable LimitSet own,
      Map<String, Long> wanted,
      Chance luck) {
    Set<String> names = new LinkedHashSet<>();
    if (own != null) {
      own.forEach(limit -> names.add(limit.name()));
    }
    if (!is(Kind.OPERATORS, Kind.EVERYTHING, Kind.DIVIDED_EVERYTHING)) {
      for (String above : above(entity)) { // nobody moves: they are above it when it settles too
        LimitSet set = limits.get(above + "/" + resource);
        if (set != null) {
          set.forEach(limit -> names.add(limit.name()));
        }
      }
    }
    names.removeAll(wanted.keySet());
    for (String name : names) {
      if (luck.perMille(400)) {
        adjust.put(name, luck.between(1, 30));
      }
    }
  }

  private List<String> above(String entity) {
    List<String> above = new ArrayList<>();
    for (int i = entities.size() - 1; i >= 0; i--) { // parents come before their children
      String last = above.isEmpty() ? entity : above.get(above.size() - 1);
      String parent = entities.get(i).parent();
      if (entities.get(i).entity().equals(last) && parent != null) {
        above.add(parent);
      }
    }
    return above;
  }

  /** Mostly short; where hours pass, some are kept until the bucket is forgotten. */
  private long hold(Chance luck) {
    return kind == Kind.IDLE && luck.perMille(20)
        ? luck.between(3, 8) * MICROS_PER_HOUR
        : luck.exponential(luck.oneOf(1_000L, 50_000L, 800_000L));
  }

  /**
   * The limits that come with a call, null when they are stored; not every call has all of them.
   */
  private @Nullable LimitSet told(String entity, String resource, Chance luck) {
    LimitSet all = byCall.get(entity + "/" + resource);
    if (all == null || all.size() == 1 || luck.perMille(800)) {
      return all;
    }
    int missing = luck.below(all.size());
    List<Limit> others = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i != missing) {
        others.add(all.get(i));
      }
    }
    return LimitSet.of(others);
  }

  private static Map<String, Long> wanted(@Nullable LimitSet set, Chance luck) {
    Map<String, Long> wanted = new LinkedHashMap<>();
    if (set == null) {
      throw new IllegalStateException("who asks has limits");
    }
    for (Limit limit : set) {
      if (wanted.isEmpty() || luck.perMille(700)) {
        wanted.put(limit.name(), amount(limit, luck));
      }
    }
    return wanted;
  }

  /** Mostly little, sometimes a good part, now and then all of it or more than there can be. */
  private static long amount(Limit limit, Chance luck) {
    long most = limit.burstMilli() / Limit.MILLI;
    int draw = luck.below(1_000);
    if (draw < 700) {
      return luck.between(1, Math.max(1, most / 20));
    }
    if (draw < 950) {
      return luck.between(1, Math.max(1, most / 2));
    }
    return draw < 990 ? most : most + luck.between(1, 10);
  }

  private void storms() {
    long count = chance.between(0, 3);
    for (int i = 0; i < count; i++) {
      actions.add(
          new Action.Storm(
              chance.below(micros),
              Weather.foul(chance, halfTripMicros),
              chance.between(200, 5_000) * MICROS_PER_MS));
    }
  }

  private void churn() {
    long count = chance.between(1, 12);
    for (int i = 0; i < count; i++) {
      long at = chance.below(micros);
      int node = chance.below(nodes);
      actions.add(
          switch (chance.below(6)) {
            case 0 -> new Action.Crash(at, node, chance.between(1, 3_000) * MICROS_PER_MS);
            case 1 -> new Action.Redeploy(at, node);
            case 2 ->
                // One more than there are stands for the operators.
                new Action.CutOff(
                    at, chance.below(nodes + 1), chance.between(10, 4_000) * MICROS_PER_MS);
            case 3 -> new Action.Forget(at, node, /* config= */ true);
            case 4 -> new Action.Interrupt(at, node);
            default -> new Action.Forget(at, node, /* config= */ false);
          });
    }
  }

  private void interrupts() {
    long count = chance.between(0, 6);
    for (int i = 0; i < count; i++) {
      actions.add(new Action.Interrupt(chance.below(micros), chance.below(nodes)));
    }
  }

  private void clocks() {
    long count = chance.between(0, 4);
    for (int i = 0; i < count; i++) {
      actions.add(
          new Action.SetClock(
              chance.below(micros),
              chance.below(nodes),
              chance.oneOf(-30_000L, -2_000L, -200L, 150L, 1_500L, 12_000L, 600_000L)));
    }
  }

  private void operate() {
    long count = chance.between(4, 24);
    List<String> known = entities.stream().map(SimulatedWorld.Kin::entity).toList();
    if (known.isEmpty()) {
      return;
    }
    if (chance.perMille(250)) {
      halfDone(known.get(known.size() - 1));
      return;
    }
    Map<String, LimitSet> current = new HashMap<>(limits);
    for (int i = 0; i < count; i++) {
      long at = micros * (i + 1) / (count + 2) + chance.below(100_000);
      if (chance.perMille(80)) { // in the middle of what they do
        actions.add(
            new Action.CutOff(
                at + chance.between(1, 60) * MICROS_PER_MS,
                nodes,
                chance.between(5, 20) * MICROS_PER_SECOND));
      }
      String entity = known.get(chance.below(known.size()));
      String resource = RESOURCES.get(chance.perMille(750) ? 0 : 1); // where most is going on
      String where = entity + "/" + resource;
      LimitSet set = current.get(where);
      if (set == null) {
        continue;
      }
      switch (chance.below(7)) {
        case 0, 1, 2 -> {
          LimitSet changed = Limits.changed(set, chance, 1);
          current.put(where, changed);
          actions.add(new Action.ChangeLimits(at, entity, resource, changed));
        }
        case 3 -> {
          if (entity.startsWith("key") && teams.size() > 1) {
            actions.add(new Action.Move(at, entity, teams.get(chance.below(teams.size()))));
          }
        }
        case 4 -> {
          actions.add(new Action.Switch(at, entity, /* on= */ false));
          actions.add(
              new Action.Switch(at + chance.between(1, 6) * 500_000, entity, /* on= */ true));
        }
        case 5 -> actions.add(new Action.Reset(at, entity, resource));
        default ->
            actions.add(
                new Action.TopUp(at, entity, resource, set.get(0).name(), chance.between(1, 50)));
      }
    }
  }

  /**
   * One change that ends in the middle: what is stored has changed, and nobody tells the buckets.
   * The administration tries for a while, so they are cut off for longer.
   */
  private void halfDone(String entity) {
    remember = true;
    LimitSet set = Objects.requireNonNull(limits.get(entity + "/chat"));
    long at = 2 * MICROS_PER_SECOND;
    actions.add(
        new Action.ChangeLimits(at, entity, "chat", Limits.changed(set, chance, /* scale= */ 1)));
    actions.add(
        new Action.CutOff(
            at + chance.between(9, 18) * halfTripMicros, nodes, 40 * MICROS_PER_SECOND));
    micros = Math.max(micros, at + 45 * MICROS_PER_SECOND);
  }

  /** The same again hours later, when the table has forgotten everybody. */
  private void idle() {
    List<Action> first = List.copyOf(actions);
    long shift = chance.between(2, 9) * MICROS_PER_HOUR;
    for (Action action : first) {
      if (action instanceof Action.Ask ask) {
        actions.add(later(ask, shift));
      }
    }
    actions.add(new Action.Expire(micros + shift / 2));
    actions.add(new Action.Expire(shift + micros / 3));
    actions.add(new Action.Expire(shift + micros));
    micros += shift + 10 * MICROS_PER_HOUR; // until the last lease has ended
  }

  private static Action.Ask later(Action.Ask ask, long shift) {
    return new Action.Ask(
        ask.atMicros() + shift,
        ask.node(),
        ask.entity(),
        ask.tokens(),
        ask.limits(),
        ask.blocking(),
        ask.consistency(),
        ask.maxWaitMs(),
        ask.giveUpMicros(),
        ask.holdMicros(),
        ask.adjust(),
        ask.more(),
        ask.end());
  }
}
