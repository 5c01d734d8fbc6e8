package dev.millrace.manifest.plan;

import dev.millrace.admin.ManagedPage;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.manifest.Outline;
import dev.millrace.manifest.Source;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A dry run: reports what would be changed, and changes nothing. */
public final class Planning {
  private final @Nullable BlastRadius radius;
  private final Consumer<Change> each;
  private Counts counts = Counts.NONE;

  private Planning(@Nullable BlastRadius radius, Consumer<Change> each) {
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
  public static Counts of(
      NamespaceAdmin namespace,
      Source source,
      Outline outline,
      @Nullable String manifest,
      @Nullable BlastRadius radius,
      Consumer<Change> each) {
    Planning planning = new Planning(radius, each);
    List<ManagedPage> pages = manifest == null ? List.of() : namespace.managed(manifest).pages();
    new Walk(namespace, source, outline, new Differ(manifest), pages).run(planning::hear);
    return planning.counts;
  }

  private void hear(List<Batch> batches) {
    for (Batch batch : batches) {
      counts = counts.plus(batch);
      for (Change change : batch.changes()) {
        each.accept(change);
        if (radius != null) {
          radius.look(change);
        }
      }
    }
  }
}
