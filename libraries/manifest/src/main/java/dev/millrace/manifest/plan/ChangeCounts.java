package dev.millrace.manifest.plan;

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

  ChangeCounts plus(ChangeBatch batch) {
    ChangeCounts sum =
        new ChangeCounts(
            added, changed, removed, impossible, drifted, entities + (batch.ofEntity() ? 1 : 0));
    for (ManifestChange change : batch.changes()) {
      sum = sum.plus(change);
    }
    return sum;
  }

  private ChangeCounts plus(ManifestChange change) {
    ManifestChange.Kind kind = change.kind();
    return new ChangeCounts(
        added + (kind == ManifestChange.Kind.ADD ? 1 : 0),
        changed + (kind == ManifestChange.Kind.CHANGE ? 1 : 0),
        removed + (kind == ManifestChange.Kind.REMOVE ? 1 : 0),
        impossible + (kind == ManifestChange.Kind.IMPOSSIBLE ? 1 : 0),
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
