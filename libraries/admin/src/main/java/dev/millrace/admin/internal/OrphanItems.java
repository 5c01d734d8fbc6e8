package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.JobResult;
import dev.millrace.admin.OrphanReport;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The items stored under ids that no namespace has: written by processes that cached an id for too
 * long.
 */
public final class OrphanItems {
  private static final String SUBJECT = "$ORPHANS";

  private final NamespaceScope scope;

  /** For the scope without a namespace. */
  public OrphanItems(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Scans the whole table and counts. */
  public OrphanReport find(ProgressListener progress) {
    Map<String, Long> items = new HashMap<>();
    long others = 0;
    long examined = 0;
    String cursor = null;
    do { // ends: every page moves the cursor
      StoreReply.Page page =
          scope.calls().list(new Listing.AllItems(), PurgeWork.SCAN_PAGE, cursor);
      Map<String, Long> found = orphansOf(page);
      for (Map.Entry<String, Long> each : found.entrySet()) {
        if (items.containsKey(each.getKey()) || items.size() < OrphanReport.MAX_IDS) {
          items.merge(each.getKey(), each.getValue(), Long::sum);
        } else {
          others += each.getValue();
        }
      }
      examined += page.entries().size();
      cursor = page.cursor();
      long orphans = others + items.values().stream().mapToLong(Long::longValue).sum();
      progress.at(new ProgressListener.Report("", "orphans.find", examined, orphans));
    } while (cursor != null);
    return new OrphanReport(items, others, examined);
  }

  private Map<String, Long> orphansOf(StoreReply.Page page) {
    Map<String, Long> counts = new HashMap<>();
    for (ListEntry entry : page.entries()) {
      counts.merge(((ListEntry.Item) entry).namespace(), 1L, Long::sum);
    }
    counts.keySet().removeAll(registered(scope, counts.keySet()));
    return counts;
  }

  /** Removes all items of an id that no namespace has. */
  public JobResult purge(String id, ProgressListener progress) {
    if (isRegistered(scope, id)) {
      throw ChangeRefusals.of(Reason.NOT_AN_ORPHAN, "id", id);
    }
    JobRecord job = JobRunner.begin(scope, JobKind.PURGE_ORPHANS, Map.of("id", id));
    scope
        .calls()
        .commit(
            List.of(
                JobRunner.put(job),
                scope.audit(SUBJECT, "orphans.purge", Map.of("id", id), Map.of())));
    return JobRunner.run(scope, job, progress);
  }

  static boolean isRegistered(NamespaceScope scope, String id) {
    return !registered(scope, Set.of(id)).isEmpty();
  }

  /** Those of {@code ids} that belong to a namespace; an invalid id belongs to none. */
  private static Set<String> registered(NamespaceScope scope, Set<String> ids) {
    Set<String> registered = new HashSet<>(ids);
    registered.retainAll(Set.of(NamespaceScope.DEFAULT, NamespaceScope.NONE));
    Map<RecordKey, String> keys = new HashMap<>();
    for (String id : ids) {
      if (!registered.contains(id) && isName(id)) {
        keys.put(new RecordKey.NamespaceById(id), id);
      }
    }
    Map<RecordKey, StoredRecord> found = scope.calls().lookup(keys.keySet());
    found.keySet().forEach(key -> registered.add(keys.get(key)));
    return registered;
  }

  private static boolean isName(String id) {
    try {
      NameRules.requireNamespace(id);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
