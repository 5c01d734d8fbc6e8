package dev.millrace.simulator.oracle;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The oracle's record of one limit of a bucket, of all its shards together and over all lives. */
final class WholeLimit {
  /** The inputs of a meter. */
  private record Regime(long burstMilli, Refill refill, boolean soft) {
    static Regime of(Limit limit) {
      return new Regime(limit.burstMilli(), limit.refill(), limit.soft());
    }
  }

  final String name;

  /** Everything that was ever charged. */
  private long chargedMilli;

  /** What shards owe; what others hold does not make up for it. */
  private long debtMilli;

  /** How many shards go by which parameters. */
  private final Map<Regime, Integer> regimes = new HashMap<>();

  /** Null while there is nothing to hold P1 against: before the first write, and when soft. */
  private @Nullable BurstMeter meter;

  WholeLimit(String name) {
    this.name = name;
  }

  static boolean isSameRegime(Limit one, Limit other) {
    return one.burstMilli() == other.burstMilli()
        && one.soft() == other.soft()
        && one.refill().equals(other.refill());
  }

  long chargedMilli() {
    return chargedMilli;
  }

  void charged(long milli) {
    chargedMilli += milli;
  }

  long debtMilli() {
    return debtMilli;
  }

  void owes(long milli) {
    debtMilli += milli;
  }

  @Nullable BurstMeter meter() {
    return meter;
  }

  /** A shard goes by other parameters, or by none. */
  void goesBy(@Nullable Limit before, @Nullable Limit after) {
    if (before != null) {
      regimes.merge(Regime.of(before), -1, (a, b) -> a + b == 0 ? null : a + b);
    }
    if (after != null) {
      regimes.merge(Regime.of(after), 1, Integer::sum);
    }
  }

  /** Tokens were forgotten that the meter knows of: it begins anew with the next write. */
  void endRegime() {
    meter = null;
  }

  /** Begins anew, unless the shards do not agree on the parameters. */
  void beginRegime(Limit limit, Rate rate, long atMicros, long aheadMicros) {
    meter =
        limit.soft() || regimes.size() != 1
            ? null
            : new BurstMeter(rate, limit.burstMilli(), atMicros, aheadMicros);
  }
}
