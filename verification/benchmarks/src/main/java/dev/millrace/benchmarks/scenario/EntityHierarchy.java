package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.benchmarks.BenchException;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Children of one parent, as they are stored. Each draws on the parent too, and on all of the
 * parent's ancestors. The limits of the children are those of the resource, far above any load; the
 * parent and its ancestors have limits of their own.
 *
 * @param children how many
 * @param depth how many ancestors each of them has, the parent included
 * @param perSecond requests that the parent, and each of its ancestors, allows in a second
 */
public record EntityHierarchy(String namespace, int children, int depth, long perSecond) {
  private static final long TIMEOUT_MS = 10_000;

  /** A request of each child, for limits that are stored. */
  public List<AcquireRequest> requests() {
    List<AcquireRequest> requests = new ArrayList<>(children);
    for (int i = 0; i < children; i++) {
      requests.add(BenchRequests.unlimited(child(i)));
    }
    return requests;
  }

  /** What every request asks of the parent, with the parent's limits. */
  public AcquireRequest ofParent() {
    return BenchRequests.limited(ancestor(0), perSecond);
  }

  /** A request of the topmost ancestor, for limits that are stored; it draws on nobody else. */
  public AcquireRequest ofRoot() {
    return BenchRequests.unlimited(ancestor(depth - 1));
  }

  /** Stores it. */
  public void plant(BlockingStore store) {
    List<StoredRecord> records = records();
    int most = StoreCall.Transaction.MAX_ACTIONS;
    for (int from = 0; from < records.size(); from += most) {
      List<RecordChange> changes = new ArrayList<>(most);
      for (StoredRecord record : records.subList(from, Math.min(records.size(), from + most))) {
        changes.add(new RecordChange.Put(record, RecordChange.Put.ABSENT));
      }
      StoreReply reply =
          store.execute(new StoreCall.Transaction(List.of(), changes, "tree-" + from), TIMEOUT_MS);
      if (!(reply instanceof StoreReply.Committed)) {
        throw new BenchException("the entities could not be stored: " + reply);
      }
    }
  }

  private List<StoredRecord> records() {
    List<StoredRecord> records = new ArrayList<>();
    AcquireRequest ofChild = BenchRequests.ample(child(0));
    records.add(
        ConfigRecord.empty(RecordKey.Config.ofResource(namespace, ofChild.resource()))
            .withLimits(ofChild.requireLimits()));
    List<String> ancestors = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      ancestors.add(ancestor(i));
    }
    for (int i = 0; i < depth; i++) {
      records.add(entity(ancestor(i), ancestors.subList(i + 1, depth)));
      records.add(
          ConfigRecord.empty(
                  RecordKey.Config.ofEntityResource(namespace, ancestor(i), ofParent().resource()))
              .withLimits(ofParent().requireLimits()));
    }
    for (int i = 0; i < children; i++) {
      records.add(entity(child(i), ancestors));
    }
    return records;
  }

  private EntityRecord entity(String id, List<String> ancestors) {
    @Nullable String parentId = ancestors.isEmpty() ? null : ancestors.get(0);
    return new EntityRecord(
        new RecordKey.Entity(namespace, id),
        /* version= */ 1,
        /* name= */ "",
        parentId,
        ancestors,
        /* cascade= */ parentId != null,
        /* disabled= */ false,
        Map.of(),
        /* createdAtMs= */ 0,
        /* children= */ 0);
  }

  private static String child(int index) {
    return "child-%04d".formatted(index);
  }

  /** The parent is number 0. */
  private static String ancestor(int index) {
    return "ancestor-" + (index + 1);
  }
}
