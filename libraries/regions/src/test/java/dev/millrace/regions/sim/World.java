package dev.millrace.regions.sim;

import dev.millrace.Limit;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.EvictionSeal;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.Ppm;
import dev.millrace.regions.internal.ledger.RegionDeclaration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Some regions, what happens to them in random order, and the checks after every event. */
final class World {
  private static final long START_MS = 1_800_000_000_000L;
  private static final int MAX_STEP_MS = 4_000;
  private static final long HOUR_MS = 3_600_000;
  private static final int CALM_ROUNDS = 12;

  private final RandomGenerator random;
  private final Maker maker;
  private final UnreliableBucket s3;
  private final GlobalLimit global;
  private final GlobalChecker checker;
  private final Map<String, SimRegion> alive = new TreeMap<>();
  private RegionDeclaration declaration;
  private long nowMs = START_MS;
  private long admittedMilli;
  private int changes;

  /** Makes a region, perhaps one that does something wrong. */
  interface Maker {
    SimRegion make(
        String name,
        GlobalLimit global,
        AllocationPolicy policy,
        LimitLedger ledger,
        long clockOffsetMs,
        long nowMs);
  }

  World(RandomGenerator random, int regions, Maker maker) {
    this.random = random;
    this.maker = maker;
    this.s3 = new UnreliableBucket(random);
    long tokens = random.nextInt(2) == 0 ? random.nextInt(10, 60) : random.nextInt(600, 60_000);
    Limit limit =
        (random.nextBoolean() ? Limit.perMinute("rpm", tokens) : Limit.perHour("rpm", tokens))
            .withBurst(tokens + random.nextInt(100));
    this.global = GlobalLimit.of(limit, AllocationPolicy.DEFAULT.floorPpm(regions));
    this.checker = new GlobalChecker(limit, regions + 1, nowMs);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      names.add("r" + i);
    }
    this.declaration = RegionDeclaration.of(names);
    names.forEach(this::start);
  }

  private void start(String name) {
    long offsetMs = random.nextLong(-HOUR_MS, HOUR_MS);
    alive.put(
        name,
        maker.make(
            name, global, AllocationPolicy.DEFAULT, declaration.initial(name), offsetMs, nowMs));
  }

  /** Runs so many events, then lets all faults end and waits until nothing is on its way. */
  void run(int events) throws IOException {
    String hot = any();
    for (int i = 0; i < events; i++) {
      nowMs += random.nextInt(4) == 0 ? 0 : random.nextInt(MAX_STEP_MS);
      hot = random.nextInt(60) == 0 ? any() : hot;
      event(hot);
      check();
    }
    s3.becomeReliable();
    for (int round = 0; round < CALM_ROUNDS; round++) {
      nowMs += AllocationPolicy.DEFAULT.windowMs();
      for (SimRegion region : alive.values()) {
        region.read(declaration, s3, nowMs);
        region.enforce(declaration, nowMs);
        region.publish(s3, nowMs);
        check();
      }
    }
    checkEnd();
  }

  private void event(String hot) throws IOException {
    SimRegion region = region(any());
    int chance = random.nextInt(100);
    if (chance < 45) {
      traffic(random.nextInt(3) == 0 ? region : region(hot));
    } else if (chance < 62) {
      region.read(declaration, s3, nowMs);
    } else if (chance < 79) {
      region.enforce(declaration, nowMs);
    } else if (chance < 96) {
      region.publish(s3, nowMs);
    } else if (chance < 98) {
      region.crash();
    } else {
      change();
    }
  }

  private void traffic(SimRegion region) {
    int requests = random.nextInt(1, 20);
    for (int i = 0; i < requests; i++) {
      long most = Math.max(2, global.whole().burstMilli() / 10);
      long milli = random.nextBoolean() ? 1_000 : random.nextLong(1, most);
      if (region.consume(milli, nowMs)) {
        admittedMilli += milli;
        checker.admitted(milli, nowMs);
      }
    }
  }

  /** What operators do, seldom; and S3 that goes away and comes back. */
  private void change() {
    int chance = random.nextInt(10);
    if (chance < 6) {
      s3.setAway(chance < 3);
    } else if (changes++ < 2 && alive.size() > 2) {
      if (chance == 6 && declaration.regions().size() == declaration.founders().size()) {
        declaration = declaration.adding("later");
        start("later");
      } else if (chance == 7) {
        declaration = declaration.draining(any());
      } else {
        String dead = any();
        List<EvictionSeal> sealed = region(dead).publishedSeals();
        alive.remove(dead);
        declaration = declaration.evicting(dead, sealed);
      }
    }
  }

  private void check() {
    boolean settled = declaration.evictions().isEmpty();
    checker.shares(alive.values(), settled, nowMs);
  }

  private void checkEnd() {
    checker.shares(alive.values(), /* exactly= */ true, nowMs);
    for (SimRegion region : alive.values()) {
      if (region.ledger.pending() != null) {
        throw new AssertionError(region.name + " waits for an estate: " + region.ledger);
      }
      if (declaration.draining().contains(region.name) && region.bucket.enforcedPpm() > 0) {
        throw new AssertionError(region.name + " is not drained: " + region.ledger);
      }
    }
    long sum = alive.values().stream().mapToLong(region -> region.bucket.enforcedPpm()).sum();
    if (sum > Ppm.WHOLE) {
      throw new AssertionError("enforced are " + sum);
    }
  }

  private String any() {
    return List.copyOf(alive.keySet()).get(random.nextInt(alive.size()));
  }

  private SimRegion region(String name) {
    SimRegion region = alive.get(name);
    return region == null ? alive.values().iterator().next() : region;
  }

  int gifts() {
    return alive.values().stream().mapToInt(SimRegion::gifts).sum();
  }

  int refusals() {
    return alive.values().stream().mapToInt(SimRegion::refused).sum();
  }

  long admittedMilli() {
    return admittedMilli;
  }

  int evictions() {
    return declaration.evictions().size();
  }
}
