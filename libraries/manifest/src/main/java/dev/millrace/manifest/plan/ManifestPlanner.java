package dev.millrace.manifest.plan;

import dev.millrace.admin.ManagedPage;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.manifest.ManifestOutline;
import dev.millrace.manifest.SpecSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A dry run: reports what would be changed, and changes nothing. */
public final class ManifestPlanner {
  private final @Nullable BlastRadius radius;
  private final Consumer<ManifestChange> each;
  private ChangeCounts counts = ChangeCounts.NONE;

  private ManifestPlanner(@Nullable BlastRadius radius, Consumer<ManifestChange> each) {
    this.radius = radius;
    this.each = each;
  }

  /**
   * Plans.
   *
   * @param manifest the name under which the managed entries of the source are recorded, null for
   *     no record
   * @param radius computes the blast radius, null for none
   * @param each receives every difference
   */
  public static ChangeCounts of(
      NamespaceAdmin namespace,
      SpecSource source,
      ManifestOutline outline,
      @Nullable String manifest,
      @Nullable BlastRadius radius,
      Consumer<ManifestChange> each) {
    ManifestPlanner planning = new ManifestPlanner(radius, each);
    List<ManagedPage> pages = manifest == null ? List.of() : namespace.managed(manifest).pages();
    new ManifestWalk(namespace, source, outline, new ManifestDiff(manifest), pages)
        .run(planning::hear);
    return planning.counts;
  }

  private void hear(List<ChangeBatch> batches) {
    for (ChangeBatch batch : batches) {
      counts = counts.plus(batch);
      for (ManifestChange change : batch.changes()) {
        each.accept(change);
        if (radius != null) {
          radius.look(change);
        }
      }
    }
  }
}
