package dev.millrace.testkit;

import dev.millrace.core.spi.directory.Listing;

/**
 * The range of keys of a {@link Listing}.
 *
 * @param indexed whether in an index, or in the table itself
 * @param from the first place
 * @param to the last place; before {@code from} when there can be none
 * @param newestFirst whether the last place is listed first
 */
record ListRange(boolean indexed, Place from, Place to, boolean newestFirst) {
  /** After everything that begins in the same way. */
  private static final String END = String.valueOf(Character.MAX_VALUE);

  static ListRange of(Listing listing) {
    if (listing instanceof Listing.Roots roots) {
      return index(Places.roots(roots.namespace()));
    }
    if (listing instanceof Listing.Children children) {
      return index(Places.children(children.namespace(), children.parentId()));
    }
    if (listing instanceof Listing.BucketsOfResource buckets) {
      return index(Places.bucketsOfResource(buckets.namespace(), buckets.resource()));
    }
    if (listing instanceof Listing.BucketsOfEntity buckets) {
      return index(Places.bucketsOfEntity(buckets.namespace(), buckets.entityId()));
    }
    if (listing instanceof Listing.BucketsOfNamespace buckets) {
      String prefix = Places.buckets(buckets.namespace());
      return new ListRange(
          /* indexed= */ false, new Place(prefix, ""), new Place(prefix + END, END), false);
    }
    if (listing instanceof Listing.ConfiguredEntities configs) {
      return index(Places.configuredEntities(configs.namespace(), configs.resource()));
    }
    if (listing instanceof Listing.DefaultedEntities configs) {
      return index(Places.defaultedEntities(configs.namespace()));
    }
    if (listing instanceof Listing.ResourceConfigs configs) {
      return index(Places.resourceConfigs(configs.namespace()));
    }
    if (listing instanceof Listing.AuditOfNamespace audit) {
      String partition = Places.auditOfNamespace(audit.namespace());
      String to = audit.toId().isEmpty() ? END : audit.toId() + " " + END;
      return newestFirst(/* indexed= */ true, partition, audit.fromId(), to);
    }
    if (listing instanceof Listing.AuditOfSubject audit) {
      String partition = Places.audit(audit.namespace(), audit.subject());
      String to = audit.toId().isEmpty() ? END : audit.toId();
      return newestFirst(/* indexed= */ false, partition, audit.fromId(), to);
    }
    if (listing instanceof Listing.ConfigsOfEntity configs) {
      return table(Places.entity(configs.namespace(), configs.entityId()), Places.CONFIG);
    }
    if (listing instanceof Listing.ItemsOfEntity items) {
      return table(Places.entity(items.namespace(), items.entityId()), "");
    }
    if (listing instanceof Listing.UsageOfEntity usage) {
      return table(Places.entity(usage.namespace(), usage.entityId()), Places.USAGE);
    }
    if (listing instanceof Listing.Jobs jobs) {
      return table(Places.system(jobs.namespace()), Places.JOB);
    }
    if (listing instanceof Listing.Namespaces) {
      return table(Places.system(Places.NO_NAMESPACE), Places.BY_NAME);
    }
    return new ListRange(
        /* indexed= */ false, new Place("", ""), new Place(END, END), /* newestFirst= */ false);
  }

  private static ListRange index(String partition) {
    return new ListRange(
        /* indexed= */ true, new Place(partition, ""), new Place(partition, END), false);
  }

  private static ListRange table(String partition, String prefix) {
    return new ListRange(
        /* indexed= */ false,
        new Place(partition, prefix),
        new Place(partition, prefix + END),
        false);
  }

  private static ListRange newestFirst(boolean indexed, String partition, String from, String to) {
    return new ListRange(indexed, new Place(partition, from), new Place(partition, to), true);
  }
}
