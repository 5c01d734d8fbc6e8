package dev.millrace.manifest.plan;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The number of differences of each kind.
 *
 * @param entities the number of entities concerned
 * @param drifted the number that were made by hand; they are among the others too
 */
public record Counts(
    long added, long changed, long removed, long impossible, long drifted, long entities) {
  /** None. */
  public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

  Counts plus(Batch batch) {
    Counts sum =
        new Counts(
            added, changed, removed, impossible, drifted, entities + (batch.ofEntity() ? 1 : 0));
    for (Change change : batch.changes()) {
      sum = sum.plus(change);
    }
    return sum;
  }

  private Counts plus(Change change) {
    Change.Kind kind = change.kind();
    return new Counts(
        added + (kind == Change.Kind.ADD ? 1 : 0),
        changed + (kind == Change.Kind.CHANGE ? 1 : 0),
        removed + (kind == Change.Kind.REMOVE ? 1 : 0),
        impossible + (kind == Change.Kind.IMPOSSIBLE ? 1 : 0),
        drifted + (change.drift() ? 1 : 0),
        entities);
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
