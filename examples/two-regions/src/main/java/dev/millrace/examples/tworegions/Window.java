package dev.millrace.examples.tworegions;

/**
 * The figures of one window.
 *
 * @param eu in one region
 * @param us in the other
 * @param admitted by both, since the beginning
 * @param quota the most that both may have admitted since the beginning
 */
record Window(Side eu, Side us, long admitted, long quota) {
  /**
   * One region in one window.
   *
   * @param sharePpm its part of the quota at the end, in millionths
   * @param count what it was asked and what it admitted
   * @param ageMs how old the other's snapshot is, below zero when there is none yet
   */
  record Side(long sharePpm, Load.Count count, long ageMs) {
    private static final double PPM_OF_PERCENT = 10_000;

    String row() {
      return "%5.1f %% %5d %8d %8s"
          .formatted(
              sharePpm / PPM_OF_PERCENT,
              count.asked(),
              count.admitted(),
              ageMs < 0 ? "none" : ageMs + " ms");
    }
  }

  static final String HEADER =
      """
      eu                              | us                              | both
        share asked admitted snapshot |   share asked admitted snapshot | so far  quota""";

  String row() {
    return "%s | %s | %6d %6d".formatted(eu.row(), us.row(), admitted, quota);
  }
}
