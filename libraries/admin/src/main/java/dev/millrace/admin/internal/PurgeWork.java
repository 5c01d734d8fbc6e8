package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A job that removes all data of one namespace id, which it finds by scanning the whole table. */
final class PurgeWork {
  /** Most items that are examined between two saves in a scan of the table. */
  static final int SCAN_PAGE = 1_000;

  private PurgeWork() {}

  /** The two records of the namespace go last, in one transaction with the end of the job. */
  static JobWork.Slice namespace(NamespaceScope scope, JobRecord job) {
    JobWork.Slice slice = erase(scope, job, JobCatalog.argument(job, "id"));
    return slice.done()
        ? new JobWork.Slice(null, slice.examined(), slice.changed(), true, records(scope, job))
        : slice;
  }

  static JobWork.Slice orphans(NamespaceScope scope, JobRecord job) {
    String id = JobCatalog.argument(job, "id");
    // The id belongs to a namespace by now: then nothing is left to do.
    return OrphanItems.isRegistered(scope, id) ? JobWork.Slice.last(0, 0) : erase(scope, job, id);
  }

  private static JobWork.Slice erase(NamespaceScope scope, JobRecord job, String id) {
    StoreReply.Page page = scope.calls().list(new Listing.AllItems(), SCAN_PAGE, job.cursor());
    List<ItemAddress> items = new ArrayList<>();
    for (ListEntry entry : page.entries()) {
      ListEntry.Item item = (ListEntry.Item) entry;
      if (item.namespace().equals(id)) {
        items.add(item.address());
      }
    }
    for (List<ItemAddress> part : StoreCalls.parts(items, scope.tools().options().pageSize())) {
      scope.tools().rate().take(part.size());
      JobFence.check(scope, job);
      scope.calls().eraseItems(part);
    }
    return JobWork.Slice.of(page.cursor(), page.entries().size(), items.size());
  }

  private static List<RecordChange> records(NamespaceScope scope, JobRecord job) {
    RecordKey byName = new RecordKey.NamespaceByName(JobCatalog.argument(job, "name"));
    RecordKey byId = new RecordKey.NamespaceById(JobCatalog.argument(job, "id"));
    Map<RecordKey, StoredRecord> found = scope.calls().lookup(List.of(byName, byId));
    List<RecordChange> changes = new ArrayList<>();
    for (StoredRecord record : found.values()) {
      if (((NamespaceRecord) record).state() == NamespaceRecord.State.PURGING) {
        changes.add(new RecordChange.Delete(record.key(), record.version()));
      }
    }
    return changes;
  }
}
