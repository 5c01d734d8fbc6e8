package dev.millrace.benchmarks.regions;

/** Where requests come from, as time goes by. */
enum TrafficPattern {
  /** Most of them in one region, always the same. */
  SKEW {
    @Override
    double part(int region, long nowMs) {
      return region == 2 ? HOT : COLD;
    }
  },

  /** Most of them in one region, another one every two minutes. */
  MOVING {
    @Override
    double part(int region, long nowMs) {
      return region == nowMs / MOVE_MS % RegionsRun.REGIONS ? HOT : COLD;
    }
  },

  /** Few, and every six minutes for two minutes very many in all regions at once. */
  FLASH {
    @Override
    double part(int region, long nowMs) {
      double part = CROWD[region];
      return nowMs % FLASH_EVERY_MS < FLASH_QUIET_MS ? part / QUIET : part * CROWDED;
    }
  };

  private static final double HOT = 0.85;
  private static final double COLD = 0.05;
  private static final long MOVE_MS = 120_000;
  private static final long FLASH_EVERY_MS = 360_000;
  private static final long FLASH_QUIET_MS = 240_000;
  private static final double[] CROWD = {0.4, 0.3, 0.2, 0.1};
  private static final double QUIET = 5;
  private static final double CROWDED = 3;

  /** What {@code region} sends, as a part of the load. */
  abstract double part(int region, long nowMs);
}
