package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.directory.Listing;

/**
 * The range of positions in which the items of a {@link Listing} are.
 *
 * @param indexed whether in an index, or in the table itself
 * @param from the first place
 * @param to the last place; before {@code from} when there can be none
 * @param newestFirst whether the last place is listed first
 */
public record ListRange(
    boolean indexed, TablePosition from, TablePosition to, boolean newestFirst) {
  /** After everything that begins in the same way. */
  private static final String END = String.valueOf(Character.MAX_VALUE);

  public static ListRange of(Listing listing) {
    if (listing instanceof Listing.Roots roots) {
      return index(TableLayout.roots(roots.namespace()));
    }
    if (listing instanceof Listing.Children children) {
      return index(TableLayout.children(children.namespace(), children.parentId()));
    }
    if (listing instanceof Listing.BucketsOfResource buckets) {
      return index(TableLayout.bucketsOfResource(buckets.namespace(), buckets.resource()));
    }
    if (listing instanceof Listing.BucketsOfEntity buckets) {
      return index(TableLayout.bucketsOfEntity(buckets.namespace(), buckets.entityId()));
    }
    if (listing instanceof Listing.BucketsOfNamespace buckets) {
      String prefix = TableLayout.buckets(buckets.namespace());
      return new ListRange(
          /* indexed= */ false,
          new TablePosition(prefix, ""),
          new TablePosition(prefix + END, END),
          false);
    }
    if (listing instanceof Listing.ConfiguredEntities configs) {
      return index(TableLayout.configuredEntities(configs.namespace(), configs.resource()));
    }
    if (listing instanceof Listing.DefaultedEntities configs) {
      return index(TableLayout.defaultedEntities(configs.namespace()));
    }
    if (listing instanceof Listing.ResourceConfigs configs) {
      return index(TableLayout.resourceConfigs(configs.namespace()));
    }
    if (listing instanceof Listing.AuditOfNamespace audit) {
      String partition = TableLayout.auditOfNamespace(audit.namespace());
      String to = audit.toId().isEmpty() ? END : audit.toId() + " " + END;
      return newestFirst(/* indexed= */ true, partition, audit.fromId(), to);
    }
    if (listing instanceof Listing.AuditOfSubject audit) {
      String partition = TableLayout.audit(audit.namespace(), audit.subject());
      String to = audit.toId().isEmpty() ? END : audit.toId();
      return newestFirst(/* indexed= */ false, partition, audit.fromId(), to);
    }
    if (listing instanceof Listing.ConfigsOfEntity configs) {
      return table(TableLayout.entity(configs.namespace(), configs.entityId()), TableLayout.CONFIG);
    }
    if (listing instanceof Listing.ItemsOfEntity items) {
      return table(TableLayout.entity(items.namespace(), items.entityId()), "");
    }
    if (listing instanceof Listing.UsageOfEntity usage) {
      return table(TableLayout.entity(usage.namespace(), usage.entityId()), TableLayout.USAGE);
    }
    if (listing instanceof Listing.Jobs jobs) {
      return table(TableLayout.system(jobs.namespace()), TableLayout.JOB);
    }
    if (listing instanceof Listing.Namespaces) {
      return table(TableLayout.system(TableLayout.NO_NAMESPACE), TableLayout.BY_NAME);
    }
    return new ListRange(
        /* indexed= */ false,
        new TablePosition("", ""),
        new TablePosition(END, END),
        /* newestFirst= */ false);
  }

  private static ListRange index(String partition) {
    return new ListRange(
        /* indexed= */ true,
        new TablePosition(partition, ""),
        new TablePosition(partition, END),
        false);
  }

  private static ListRange table(String partition, String prefix) {
    return new ListRange(
        /* indexed= */ false,
        new TablePosition(partition, prefix),
        new TablePosition(partition, prefix + END),
        false);
  }

  private static ListRange newestFirst(boolean indexed, String partition, String from, String to) {
    return new ListRange(
        indexed, new TablePosition(partition, from), new TablePosition(partition, to), true);
  }
}
