package dev.millrace.manifest;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The number of differences of each kind.
 *
 * @param entities the number of entities concerned
 * @param drifted the number that were made by hand; they are among the others too
 */
public record ChangeCounts(
    long added, long changed, long removed, long impossible, long drifted, long entities) {
  /** None. */
  public static final ChangeCounts NONE = new ChangeCounts(0, 0, 0, 0, 0, 0);

  /** The sum of both. */
  public ChangeCounts plus(ChangeCounts other) {
    return new ChangeCounts(
        added + other.added,
        changed + other.changed,
        removed + other.removed,
        impossible + other.impossible,
        drifted + other.drifted,
        entities + other.entities);
  }

  /** The number of differences. */
  public long all() {
    return added + changed + removed + impossible;
  }

  /** By name, for machines and audit events. */
  public Map<String, Long> byName() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("added", added);
    counts.put("changed", changed);
    counts.put("removed", removed);
    counts.put("impossible", impossible);
    counts.put("drifted", drifted);
    counts.put("entities", entities);
    return counts;
  }
}
