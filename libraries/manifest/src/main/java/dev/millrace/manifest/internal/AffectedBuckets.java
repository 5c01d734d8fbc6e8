package dev.millrace.manifest.internal;

import dev.millrace.admin.BucketReport;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Page;
import dev.millrace.core.spi.config.ConfigLevel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The buckets affected by a change of a level: those whose limits come from it or from a weaker
 * one. A bucket with limits of a stronger level is not affected.
 *
 * @param buckets the number of affected buckets, of those examined
 * @param examined the number of buckets examined
 * @param isComplete whether all buckets were examined
 */
public record AffectedBuckets(long buckets, long examined, boolean isComplete) {
  /**
   * The bounds of the search; the page that reaches one is still examined.
   *
   * @param buckets most buckets
   * @param pages most pages: those of a whole namespace may contain no bucket, because it shares
   *     its table with others
   */
  public record Bounds(long buckets, long pages) {}

  private interface Pages {
    Page<BucketReport> after(@Nullable String cursor);
  }

  /**
   * Finds the affected buckets.
   *
   * @param most the bounds of the search
   * @param each receives every affected bucket
   */
  public static AffectedBuckets of(
      NamespaceAdmin namespace, LimitTarget target, Bounds most, Consumer<BucketReport> each) {
    return switch (target.level()) {
      case ENTITY_RESOURCE -> one(namespace, target, each);
      case ENTITY ->
          walk(
              ConfigLevel.ENTITY,
              cursor -> namespace.buckets().ofEntity(target.entityId(), Page.MAX_SIZE, cursor),
              most,
              each);
      case RESOURCE ->
          walk(
              ConfigLevel.RESOURCE,
              cursor -> namespace.buckets().ofResource(target.resource(), Page.MAX_SIZE, cursor),
              most,
              each);
      case SYSTEM, CALL ->
          walk(
              ConfigLevel.SYSTEM,
              cursor -> namespace.buckets().all(Page.MAX_SIZE, cursor),
              most,
              each);
    };
  }

  private static AffectedBuckets one(
      NamespaceAdmin namespace, LimitTarget target, Consumer<BucketReport> each) {
    return namespace
        .buckets()
        .get(target.entityId(), target.resource())
        .map(
            bucket -> {
              boolean follows = follows(bucket, ConfigLevel.ENTITY_RESOURCE);
              if (follows) {
                each.accept(bucket);
              }
              return new AffectedBuckets(follows ? 1 : 0, 1, true);
            })
        .orElse(new AffectedBuckets(0, 0, true));
  }

  private static boolean follows(BucketReport bucket, ConfigLevel level) {
    return bucket.stamp().level().compareTo(level) >= 0;
  }

  private static AffectedBuckets walk(
      ConfigLevel level, Pages pages, Bounds most, Consumer<BucketReport> each) {
    long found = 0;
    long examined = 0;
    long read = 0;
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<BucketReport> page = pages.after(cursor);
      for (BucketReport bucket : page.items()) {
        examined++;
        if (follows(bucket, level)) {
          found++;
          each.accept(bucket);
        }
      }
      cursor = page.cursor();
      read++;
    } while (cursor != null && examined < most.buckets() && read < most.pages());
    return new AffectedBuckets(found, examined, cursor == null);
  }
}
