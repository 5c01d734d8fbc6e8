package dev.millrace.manifest.internal;

import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.internal.ManagedPage;
import dev.millrace.manifest.ChangeCounts;
import dev.millrace.manifest.internal.ManifestWalk.ChangeBatch;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A dry run: reports what would be changed, and changes nothing. */
public final class ManifestPlanner {
  private ManifestPlanner() {}

  /**
   * Plans, and passes every difference to {@code each}.
   *
   * @param manifest the name under which the managed entries are recorded, null for no record
   * @param radius computes the blast radius, null for none
   */
  public static ChangeCounts of(
      NamespaceAdmin namespace,
      ManifestOutline outline,
      @Nullable String manifest,
      @Nullable BlastRadius radius,
      Consumer<ManifestChange> each) {
    List<ManagedPage> pages = manifest == null ? List.of() : namespace.managed(manifest).pages();
    ChangeCounts[] counts = {ChangeCounts.NONE};
    new ManifestWalk(
            namespace,
            outline,
            new ManifestDiff(manifest),
            pages,
            batches -> {
              for (ChangeBatch batch : batches) {
                counts[0] = counts[0].plus(batch.counts());
                for (ManifestChange change : batch.changes()) {
                  each.accept(change);
                  if (radius != null) {
                    radius.look(change);
                  }
                }
              }
            })
        .run();
    return counts[0];
  }
}
