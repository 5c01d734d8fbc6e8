package dev.millrace.simulator.oracle;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.simulator.oracle.TableWrite.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The story of one bucket and its shards, told to an oracle. */
final class Divided {
  final TableOracle oracle = new TableOracle(/* grainMs= */ 100, /* maxSkewMs= */ 10_000);

  private final Map<Integer, BucketState> states = new HashMap<>();
  private long nowMs = Story.T;
  private Map<String, Long> uncheckedMilli = Map.of();

  /** What becomes of a shard. */
  record Turn(int shard, @Nullable BucketState after) {}

  /** A story that begins with an undivided bucket for which there should be two shards. */
  static Divided of(LimitState... limits) {
    Divided story = new Divided();
    story.turns(shard(0, 2, 1, Story.T, limits));
    return story;
  }

  /** A story in which the bucket has two shards that hold so much of {@link Story#RPM}. */
  static Divided inTwo(long firstMilli, long secondMilli) {
    Divided story =
        of(Divided.rpm(firstMilli + secondMilli, Story.FULL - firstMilli - secondMilli));
    story.turns(
        shard(0, 2, 2, Story.T, rpm(firstMilli, Story.FULL - firstMilli - secondMilli)),
        shard(1, 2, 2, Story.T, rpm(secondMilli, 0)));
    return story;
  }

  static LimitState rpm(long tokensMilli, long consumedMilli) {
    return new LimitState(Story.RPM, tokensMilli, consumedMilli);
  }

  static Turn shard(int shard, int count, int level, long refilledAtMs, LimitState... limits) {
    return shard(shard, Division.of(count, level), BucketState.NEVER, refilledAtMs, limits);
  }

  static Turn shard(
      int shard,
      Division division,
      long expiresAtSeconds,
      long refilledAtMs,
      LimitState... limits) {
    return new Turn(
        shard,
        new BucketState(
            Story.KEY.withShard(shard),
            refilledAtMs,
            Arrays.asList(limits),
            division,
            /* wcuMilli= */ 0,
            expiresAtSeconds,
            "op",
            ConfigStamp.CALL));
  }

  static Turn gone(int shard) {
    return new Turn(shard, null);
  }

  Divided pass(long ms) {
    nowMs += ms;
    return this;
  }

  long nowMs() {
    return nowMs;
  }

  /** The next write may charge that much without a check. */
  Divided settling(long milli) {
    uncheckedMilli = Map.of(Story.RPM.name(), milli);
    return this;
  }

  BucketState state(int shard) {
    return Objects.requireNonNull(states.get(shard));
  }

  /** All of these happen together. */
  void turns(Turn... turns) {
    List<TableWrite> together = new ArrayList<>();
    for (Turn turn : turns) {
      BucketKey key = Story.KEY.withShard(turn.shard());
      together.add(
          new TableWrite(
              nowMs * 1_000,
              "p1",
              Source.CLIENT,
              key,
              states.get(turn.shard()),
              turn.after(),
              nowMs,
              uncheckedMilli,
              Map.of(),
              /* alone= */ turns.length == 1));
    }
    uncheckedMilli = Map.of();
    oracle.wrote(together);
    for (Turn turn : turns) {
      if (turn.after() == null) {
        states.remove(turn.shard());
      } else {
        states.put(turn.shard(), turn.after());
      }
    }
  }
}
