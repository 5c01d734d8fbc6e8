package dev.millrace.simulator;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Limits of every sort: fast, slow, odd, and such as only meter. */
final class Limits {
  /** The names in use, so that an ancestor has some of the limits of its descendants. */
  static final List<String> NAMES = List.of("rps", "tpm", "day", "odd", "soft");

  private Limits() {}

  /** A set for an entity; {@code scale} makes an ancestor's limits larger. */
  static LimitSet of(Chance chance, int scale, boolean mayMeter) {
    List<Limit> limits = new ArrayList<>();
    for (String name : NAMES) {
      boolean meters = name.equals("soft");
      if (meters ? mayMeter && chance.perMille(200) : chance.perMille(550)) {
        limits.add(of(name, chance, scale));
      }
    }
    if (limits.isEmpty()) {
      limits.add(of("rps", chance, scale));
    }
    return LimitSet.of(limits);
  }

  /** The same names with other numbers. */
  static LimitSet changed(LimitSet old, Chance chance, int scale) {
    List<Limit> limits = new ArrayList<>();
    for (Limit limit : old) {
      limits.add(chance.perMille(300) ? limit : changed(limit, chance, scale));
    }
    return LimitSet.of(limits);
  }

  private static Limit changed(Limit limit, Chance chance, int scale) {
    // The period stays: the administration asks twice before it changes one.
    long capacity = Math.max(1, limit.capacityMilli() / Limit.MILLI * chance.between(1, 20) / 10);
    Limit changed =
        Limit.custom(
            limit.name(),
            capacity,
            Math.max(1, limit.refill().amountMilli() / Limit.MILLI * chance.between(5, 20) / 10),
            Duration.ofMillis(limit.refill().periodMs()));
    Limit lifted = chance.perMille(300) ? changed.withBurst(capacity * 2 + scale) : changed;
    return limit.soft() ? lifted.asSoft() : lifted;
  }

  private static Limit of(String name, Chance chance, int scale) {
    return switch (name) {
      case "rps" -> burst(Limit.perSecond(name, chance.between(2, 60) * scale), chance);
      case "tpm" -> burst(Limit.perMinute(name, chance.between(100, 20_000) * scale), chance);
      case "day" -> Limit.perDay(name, chance.between(20, 2_000) * scale);
      case "soft" -> Limit.perMinute(name, chance.between(10, 500)).asSoft();
      default ->
          burst(
              Limit.custom(
                  name,
                  chance.between(1, 50) * scale,
                  chance.between(1, 7),
                  Duration.ofMillis(chance.oneOf(7L, 13L, 333L, 1_000L, 7_001L, 60_000L))),
              chance);
    };
  }

  private static Limit burst(Limit limit, Chance chance) {
    return chance.perMille(300)
        ? limit.withBurst(limit.capacityMilli() / Limit.MILLI * chance.between(1, 3) + 1)
        : limit;
  }
}
