package dev.millrace.admin.internal;

import dev.millrace.NameRules;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.JobView;
import dev.millrace.admin.OrphanReport;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The removal of all data of a namespace id, which is found by scanning the whole table: of a
 * deleted namespace, or of orphans. Those are items under an id that no namespace has, written by
 * processes that cached an id for too long.
 */
public final class NamespacePurge {
  /** Most items that are examined between two saves in a scan of the table. */
  static final int SCAN_PAGE = 1_000;

  private static final String SUBJECT = "$ORPHANS";

  private NamespacePurge() {}

  /** The two records of the namespace go last, in one transaction with the end of the job. */
  static JobRunner.Slice namespace(NamespaceScope scope, JobRecord job) {
    JobRunner.Slice slice = erase(scope, job, JobRunner.argument(job, "id"));
    return slice.done()
        ? new JobRunner.Slice(null, slice.examined(), slice.changed(), true, records(scope, job))
        : slice;
  }

  static JobRunner.Slice orphans(NamespaceScope scope, JobRecord job) {
    String id = JobRunner.argument(job, "id");
    // The id belongs to a namespace by now: then nothing is left to do.
    return isRegistered(scope, id) ? JobRunner.Slice.last(0, 0) : erase(scope, job, id);
  }

  private static JobRunner.Slice erase(NamespaceScope scope, JobRecord job, String id) {
    StoreReply.Page page = scope.list(new Listing.AllItems(), SCAN_PAGE, job.cursor());
    List<ItemAddress> items = new ArrayList<>();
    for (ListEntry entry : page.entries()) {
      ListEntry.Item item = (ListEntry.Item) entry;
      if (item.namespace().equals(id)) {
        items.add(item.address());
      }
    }
    for (List<ItemAddress> part : StoreCalls.parts(items, scope.options().pageSize())) {
      scope.tools().rate.take(part.size());
      JobRunner.requireOwned(scope, job);
      scope.calls().eraseItems(part);
    }
    return JobRunner.Slice.of(page.cursor(), page.entries().size(), items.size());
  }

  private static List<RecordChange> records(NamespaceScope scope, JobRecord job) {
    RecordKey byName = new RecordKey.NamespaceByName(JobRunner.argument(job, "name"));
    RecordKey byId = new RecordKey.NamespaceById(JobRunner.argument(job, "id"));
    List<RecordChange> changes = new ArrayList<>();
    for (StoredRecord record : scope.lookup(List.of(byName, byId)).values()) {
      if (((NamespaceRecord) record).state() == NamespaceRecord.State.PURGING) {
        changes.add(new RecordChange.Delete(record.key(), record.version()));
      }
    }
    return changes;
  }

  /** Scans the whole table and counts the orphans. */
  public static OrphanReport findOrphans(NamespaceScope scope, ProgressListener progress) {
    Map<String, Long> items = new HashMap<>();
    long[] counts = new long[2]; // items examined, items of further ids
    scope.forEach(
        new Listing.AllItems(),
        SCAN_PAGE,
        page -> {
          orphansOf(scope, page)
              .forEach(
                  (id, count) -> {
                    if (items.containsKey(id) || items.size() < OrphanReport.MAX_IDS) {
                      items.merge(id, count, Long::sum);
                    } else {
                      counts[1] += count;
                    }
                  });
          counts[0] += page.entries().size();
          long orphans = counts[1] + items.values().stream().mapToLong(Long::longValue).sum();
          Instant now = Instant.ofEpochMilli(scope.nowMs());
          progress.at(JobView.unsaved("orphans.find", counts[0], orphans, now));
        });
    return new OrphanReport(items, counts[1], counts[0]);
  }

  private static Map<String, Long> orphansOf(NamespaceScope scope, StoreReply.Page page) {
    Map<String, Long> counts = new HashMap<>();
    for (ListEntry entry : page.entries()) {
      counts.merge(((ListEntry.Item) entry).namespace(), 1L, Long::sum);
    }
    counts.keySet().removeAll(registered(scope, counts.keySet()));
    return counts;
  }

  /** Removes all items of an id that no namespace has. */
  public static JobView purgeOrphans(NamespaceScope scope, String id, ProgressListener progress) {
    if (isRegistered(scope, id)) {
      throw ChangeRefusedException.of(Reason.NOT_AN_ORPHAN, "id", id);
    }
    JobRecord job = JobRunner.begin(scope, JobKind.PURGE_ORPHANS, Map.of("id", id));
    RecordChange event = scope.audit(SUBJECT, "orphans.purge", Map.of("id", id), Map.of());
    scope.commit(List.of(JobRunner.put(job), event));
    return JobRunner.run(scope, job, progress);
  }

  private static boolean isRegistered(NamespaceScope scope, String id) {
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
    scope.lookup(keys.keySet()).keySet().forEach(key -> registered.add(keys.get(key)));
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
