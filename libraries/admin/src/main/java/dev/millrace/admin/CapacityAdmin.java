package dev.millrace.admin;

import dev.millrace.admin.internal.BucketPages;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.internal.NameRules;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The used and the available amounts of a resource over all its buckets. */
public final class CapacityAdmin {
  private final NamespaceScope scope;

  CapacityAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** A page of the buckets of a resource, by entity. */
  public CapacityPage of(String resource, int pageSize, @Nullable String cursor) {
    Page<BucketReport> page =
        BucketPages.ofResource(scope, NameRules.requireResource(resource), pageSize, cursor);
    CapacityTotals totals = CapacityTotals.NONE;
    for (BucketReport bucket : page.items()) {
      totals = totals.plus(bucket);
    }
    return new CapacityPage(page.items(), totals, page.cursor());
  }

  /**
   * All buckets of a resource, page by page; only one page is in memory.
   *
   * @param each receives every page and the totals so far
   * @return the totals of all pages
   */
  public CapacityTotals all(String resource, BiConsumer<CapacityPage, CapacityTotals> each) {
    CapacityTotals totals = CapacityTotals.NONE;
    String cursor = null;
    do { // ends: every page moves the cursor
      CapacityPage page = of(resource, scope.tools().options().pageSize(), cursor);
      totals = totals.plus(page.totals());
      each.accept(page, totals);
      cursor = page.cursor();
    } while (cursor != null);
    return totals;
  }
}
