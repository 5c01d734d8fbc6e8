package dev.millrace.proving.soak.worker;

import dev.millrace.proving.soak.World;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The entities, amounts and rates of a caller's requests: no more than a database can take that
 * brings every write to a slow disk. One that cannot keep up makes every answer late, and then
 * nothing is known for sure.
 *
 * @param entities whose requests it makes
 * @param leastPauseMs shortest pause between two requests
 * @param mostPauseMs longest pause
 * @param mostSlow most tokens of the slow limit in an ordinary request
 * @param huge tokens of the slow limit in a huge one, 0 for none
 */
record TrafficMix(
    List<String> entities, int leastPauseMs, int mostPauseMs, long mostSlow, long huge) {
  /** Callers that draw on several buckets; now and then for almost all that a key can hold. */
  static final TrafficMix TREE = new TrafficMix(World.KEYS, 40, 160, 4, 40);

  /** A caller that draws on one bucket. */
  static final TrafficMix SOLO = new TrafficMix(List.of(World.SOLO), 100, 300, 3, 0);

  /** Busy callers of one bucket, for which it is worth to take tokens ahead. */
  static final TrafficMix AHEAD = new TrafficMix(List.of(World.SOLO), 6, 10, 2, 0);

  private static final int HUGE_PERCENT = 3;

  String entity(RandomGenerator random) {
    return entities.get(random.nextInt(entities.size()));
  }

  /** Whole tokens by limit. */
  Map<String, Long> tokens(RandomGenerator random) {
    boolean isHuge = huge > 0 && random.nextInt(100) < HUGE_PERCENT;
    return Map.of(World.FAST, 1L, World.SLOW, isHuge ? huge : 1 + random.nextLong(mostSlow));
  }

  long pauseMs(RandomGenerator random) {
    return random.nextLong(leastPauseMs, mostPauseMs + 1L);
  }
}
