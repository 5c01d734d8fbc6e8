package dev.millrace.regions;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.Ppm;
import dev.millrace.regions.internal.ledger.TransferRow;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotReadResult;
import dev.millrace.regions.internal.snapshot.SnapshotReader;
import dev.millrace.regions.internal.snapshot.SnapshotSink;
import dev.millrace.regions.sim.GlobalChecker;
import dev.millrace.regions.sim.UnreliableBucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Regions that run the production code, what happens to them in random order, and the checks after
 * every event and between any two calls of a process.
 */
final class LiveWorld implements AutoCloseable {
  private static final long START_MS = 1_800_000_000_000L;
  private static final long HOUR_MS = 3_600_000;
  private static final int MAX_STEP_MS = 4_000;
  private static final int CALM_ROUNDS = 14;
  private static final List<String> ENTITIES = List.of("acme", "beta");

  private final RandomGenerator random;
  private final UnaryOperator<BlockingStore> mutant;
  private final UnreliableBucket s3;
  private final RandomFaults harm;
  private final Limit limit;
  private final Map<String, LiveRegion> alive = new TreeMap<>();
  private final List<LiveRegion> dead = new ArrayList<>();
  private final Map<String, GlobalChecker> checkers = new HashMap<>();
  private final List<String> founders = new ArrayList<>();
  private final Map<String, List<EvictionSeal>> evicted = new LinkedHashMap<>();

  /** What operators have yet to say in some region. */
  private final List<Runnable> toSay = new ArrayList<>();

  private long nowMs = START_MS;
  private String hot;
  private int changes;
  private boolean nested;

  private int windows;
  private int crashes;
  private int gifts;
  private int refusals;
  private int evictions;
  private int admitted;

  LiveWorld(RandomGenerator random, int regions, UnaryOperator<BlockingStore> mutant) {
    this.random = random;
    this.mutant = mutant;
    this.s3 = new UnreliableBucket(random);
    this.harm = new RandomFaults(random, this::meanwhile);
    long tokens = random.nextBoolean() ? random.nextInt(10, 60) : random.nextInt(600, 6_000);
    this.limit =
        (random.nextBoolean() ? Limit.perMinute("rpm", tokens) : Limit.perHour("rpm", tokens))
            .withBurst(tokens + random.nextInt(100));
    for (int i = 0; i < regions; i++) {
      founders.add("r" + i);
    }
    ENTITIES.forEach(entity -> checkers.put(entity, new GlobalChecker(limit, regions + 1, nowMs)));
    founders.forEach(this::open);
    this.hot = any().name;
  }

  private void open(String name) {
    long offsetMs = random.nextLong(-HOUR_MS, HOUR_MS);
    SyncListener listener =
        new SyncListener() {
          @Override
          public void onChanged(String entity, String resource, String of, int before, int after) {
            gifts += after < before ? 1 : 0;
          }

          @Override
          public void onRefusedSnapshot(String region, String reason, String message) {
            refusals++;
          }
        };
    LiveRegion region =
        new LiveRegion(
            name, nowMs + offsetMs, new HarmedExchange(s3, harm), harm, listener, mutant);
    region.setUp(founders, limit);
    alive.put(name, region);
  }

  /** Runs so many events, then lets all faults end and waits until nothing is on its way. */
  void run(int events) {
    for (int i = 0; i < events; i++) {
      advance(random.nextInt(4) == 0 ? 0 : random.nextInt(MAX_STEP_MS));
      hot = random.nextInt(40) == 0 ? any().name : hot;
      event();
      check(/* exactly= */ evictions == 0);
    }
    harm.end();
    s3.becomeReliable();
    toSay.forEach(Runnable::run);
    toSay.clear();
    alive.values().forEach(region -> ENTITIES.forEach(region::deleteByHand));
    for (int round = 0; round < CALM_ROUNDS; round++) {
      advance(AllocationPolicy.DEFAULT.windowMs());
      for (LiveRegion region : List.copyOf(alive.values())) {
        window(region);
        check(evictions == 0);
      }
    }
    checkEnd();
  }

  private void event() {
    int chance = random.nextInt(100);
    if (chance < 35) {
      traffic();
    } else if (chance < 88) {
      window(any());
    } else if (chance < 92) {
      any().harmed.arrive();
    } else if (chance < 94) {
      any().restart();
    } else {
      change();
    }
  }

  /** What happens between two calls of a process. */
  private void meanwhile() {
    advance(1); // no process is so quick that a call takes no time
    if (nested) {
      return;
    }
    nested = true;
    try {
      int chance = random.nextInt(60);
      if (chance == 0) {
        window(any()); // another region, or the same one in a second process
      } else if (chance < 8) {
        traffic();
      } else if (chance == 8) {
        any().harmed.arrive();
      } else if (chance < 14) {
        advance(random.nextInt(300));
      }
      check(evictions == 0);
    } finally {
      nested = false;
    }
  }

  private void window(LiveRegion region) {
    windows++;
    advance(1);
    CycleReport report = region.cycle();
    if (report == null) {
      crashes++;
    } else if (report.rights().overAdmissionPpm() != 0) {
      throw new AssertionError(region.name + " tells of " + report.rights());
    }
  }

  private void traffic() {
    LiveRegion chosen = any();
    LiveRegion region = random.nextInt(3) == 0 ? chosen : alive.getOrDefault(hot, chosen);
    String entity = ENTITIES.get(random.nextInt(4) == 0 ? 1 : 0);
    int requests = random.nextInt(1, 12);
    for (int i = 0; i < requests; i++) {
      long most = Math.max(2, limit.burstMilli() / 8_000);
      long tokens = random.nextBoolean() ? 1 : random.nextLong(1, most);
      if (region.acquire(entity, tokens) && !region.isOperators(entity)) {
        admitted++;
        checker(entity).admitted(tokens * 1_000, nowMs);
      }
    }
  }

  /** What operators do, in one region after the other; and what goes away and comes back. */
  private void change() {
    LiveRegion region = any();
    int chance = random.nextInt(12);
    if (chance < 4) {
      s3.setAway(chance < 2);
    } else if (chance < 6) {
      region.harmed.setAway(chance == 4);
    } else if (chance == 6) {
      region.setByHand(ENTITIES.get(random.nextInt(2)), byHand());
    } else if (chance == 7) {
      ENTITIES.forEach(region::deleteByHand);
    } else if (chance == 8 || toSay.isEmpty()) {
      declare(chance);
    } else {
      toSay.remove(0).run();
    }
  }

  /** It earns no more than the smallest part, so that deleting it brings back no more. */
  private Limit byHand() {
    return new Limit("rpm", 1_000, 1_000, Refill.of(1, limit.refill().periodMs()), limit.soft());
  }

  private void declare(int chance) {
    if (!toSay.isEmpty() || changes >= 3 || alive.size() < 3) {
      return;
    }
    changes++;
    if (chance == 9 && alive.size() + dead.size() == founders.size() && areSealed()) {
      open("later");
      LiveRegion later = Objects.requireNonNull(alive.get("later"));
      List<EvictionSeal> told = new ArrayList<>();
      alive.keySet().forEach(name -> told.addAll(sealed(name)));
      evicted.forEach((gone, seals) -> later.sharing.evict(gone, seals, told));
      sayEverywhere(region -> region.sharing.add("later"));
    } else if (chance == 10) {
      String draining = any().name;
      sayEverywhere(region -> region.sharing.drain(draining));
    } else {
      LiveRegion gone = any();
      alive.remove(gone.name);
      dead.add(gone);
      evictions++;
      List<EvictionSeal> sealed = sealed(gone.name);
      evicted.put(gone.name, sealed);
      sayEverywhere(region -> region.sharing.evict(gone.name, sealed, List.of()));
    }
  }

  /** Whether somebody has published all evictions: a region that joins learns of them there. */
  private boolean areSealed() {
    return evicted.isEmpty()
        || alive.keySet().stream().anyMatch(name -> sealed(name).size() == evictions);
  }

  private void sayEverywhere(Consumer<LiveRegion> what) {
    for (LiveRegion region : alive.values()) {
      toSay.add(random.nextInt(toSay.size() + 1), () -> what.accept(region));
    }
  }

  /** The seals in the last snapshot of a region that is gone, as the command finds them. */
  private List<EvictionSeal> sealed(String name) {
    EncodedSnapshot last = s3.last(name);
    if (last == null) {
      return List.of();
    }
    try {
      SnapshotReadResult reading =
          SnapshotReader.read(name, last, new SnapshotSink.PeerSink(new PeerView(), nowMs));
      return reading instanceof SnapshotReadResult.Accepted accepted
          ? accepted.header().seals()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void advance(long ms) {
    nowMs += ms;
    alive.values().forEach(region -> region.clock.advance(Duration.ofMillis(ms)));
    dead.forEach(region -> region.clock.advance(Duration.ofMillis(ms)));
  }

  private void check(boolean exactly) {
    for (String entity : ENTITIES) {
      long ppm = 0;
      long milli = 0;
      List<LimitLedger> ledgers =
          alive.values().stream().map(region -> region.ledger(entity)).toList();
      for (LimitLedger ledger : ledgers) {
        LiveRegion region = Objects.requireNonNull(alive.get(ledger.region()));
        ppm += ledger.sharePpm();
        if (!region.isOperators(entity)) {
          long ceilingMilli = Ppm.partOf(limit.burstMilli(), ledger.sharePpm());
          milli += region.balanceMilli(entity, ceilingMilli);
          long most = Math.max(1, ceilingMilli);
          if (region.ceilingMilli(entity) > most) {
            throw new AssertionError(
                "%s enforces %d of %s, its share is %d"
                    .formatted(region.name, region.ceilingMilli(entity), entity, most));
          }
        }
        for (LimitLedger to : ledgers) {
          if (!to.region().equals(region.name)) {
            TransferRow gave = ledger.dealings().gave(to.region());
            TransferRow got = to.dealings().got(region.name);
            if (!gave.covers(got)) {
              throw new AssertionError(
                  "%s credited %s of %s, which gave %s"
                      .formatted(to.region(), got, region.name, gave));
            }
            ppm += gave.ppm() - got.ppm();
            milli += gave.milli() - got.milli();
          }
        }
      }
      if (ppm > Ppm.WHOLE || (exactly && ppm != Ppm.WHOLE)) {
        throw new AssertionError("held and on its way are " + ppm + " ppm of " + entity);
      }
      if (milli > limit.burstMilli() + alive.size()) {
        throw new AssertionError(
            "balances and tokens on their way are " + milli + " of " + limit.burstMilli());
      }
    }
  }

  private void checkEnd() {
    check(/* exactly= */ true);
    for (LiveRegion region : alive.values()) {
      for (String entity : ENTITIES) {
        LimitLedger ledger = region.ledger(entity);
        if (ledger.pending() != null) {
          throw new AssertionError(region.name + " waits for an estate: " + ledger);
        }
        if (region.site().declaration().draining().contains(region.name)
            && ledger.sharePpm() > 0
            && region.config(entity) != null) {
          throw new AssertionError(region.name + " is not drained: " + ledger);
        }
      }
    }
    for (LiveRegion region : dead) {
      CycleReport report = region.cycle();
      if (report == null || !report.evicted()) {
        throw new AssertionError(region.name + " does not know that it is out: " + report);
      }
      for (String entity : ENTITIES) {
        if (!region.isOperators(entity) && region.acquire(entity, 1)) {
          throw new AssertionError(region.name + " still serves " + entity);
        }
      }
    }
  }

  private GlobalChecker checker(String entity) {
    return checkers.getOrDefault(entity, new GlobalChecker(limit, 0, nowMs));
  }

  private LiveRegion any() {
    List<LiveRegion> all = List.copyOf(alive.values());
    return all.get(random.nextInt(all.size()));
  }

  /** What was seen, by name: a simulation in which nothing happens shows nothing. */
  Map<String, Integer> seen() {
    return new TreeMap<>(
        Map.of(
            "windows", windows,
            "crashes", crashes,
            "gifts", gifts,
            "refusals", refusals,
            "evictions", evictions,
            "admitted", admitted));
  }

  @Override
  public void close() {
    alive.values().forEach(LiveRegion::close);
    dead.forEach(LiveRegion::close);
  }
}
