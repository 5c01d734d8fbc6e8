package dev.millrace.testkit.internal.memory;

import dev.millrace.BucketKey;
import dev.millrace.NameRules;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of valid calls: a violation is a request that DynamoDB does not accept, or could only
 * be a bug.
 *
 * <ul>
 *   <li>What is asked for is named once, at least one thing and at most as many as the call allows.
 *   <li>A transaction writes each bucket and each record once; its plans keep {@link PlanRules}.
 *   <li>A record is put with a greater version than it replaces, so that versions only grow; 0
 *       would mean that there is none.
 *   <li>What is free text in a key is not empty, not too long for one, and all of it characters:
 *       half a character is stored as another one, and two keys would become one.
 *   <li>What a record holds by name has a name: DynamoDB takes no attribute without one.
 *   <li>A page has at least one entry, and every namespace is one.
 * </ul>
 */
public final class CallRules {
  private static final int MAX_SUBJECT = 512;
  private static final int MAX_ID = 512;

  private CallRules() {}

  public static void check(StoreCall.ReadAll call) {
    size("ReadAll", call.keys().size(), StoreCall.ReadAll.MAX_KEYS);
    once("ReadAll", call.keys());
  }

  public static void check(StoreCall.Lookup call) {
    size("Lookup", call.keys().size(), StoreCall.Lookup.MAX_KEYS);
    once("Lookup", call.keys());
    call.keys().forEach(CallRules::key);
  }

  public static void check(StoreCall.Erase call) {
    size("Erase", call.buckets().size() + call.items().size(), StoreCall.Erase.MAX_ITEMS);
    Set<TablePosition> named = new HashSet<>();
    for (BucketKey bucket : call.buckets()) {
      once("Erase", bucket, named.add(TableLayout.of(bucket)));
    }
    call.items()
        .forEach(
            item ->
                once("Erase", item, named.add(new TablePosition(item.partition(), item.sort()))));
  }

  public static void check(StoreCall.Transaction call) {
    List<Object> keys = new ArrayList<>();
    for (WritePlan plan : call.plans()) {
      PlanRules.check(plan);
      keys.add(plan.key());
    }
    for (RecordChange change : call.changes()) {
      key(change.key());
      keys.add(change.key());
      if (change instanceof RecordChange.Put put) {
        long version = put.record().version();
        if (version <= put.expectedVersion()) {
          throw new IllegalArgumentException(
              "version " + version + " must be greater than the expected one in " + put);
        }
        named(put.record());
        ownKey(put.record());
      }
    }
    once("Transaction", keys);
  }

  public static void check(StoreCall.ListPage call) {
    if (call.pageSize() < 1) {
      throw new IllegalArgumentException("pageSize " + call.pageSize() + " must be at least 1");
    }
    Listing listing = call.listing();
    if (!(listing instanceof Listing.Namespaces || listing instanceof Listing.AllItems)) {
      namespace(namespaceOf(listing), isOfEvents(listing));
    }
  }

  private static boolean isOfEvents(Listing listing) {
    return listing instanceof Listing.AuditOfSubject
        || listing instanceof Listing.AuditOfNamespace
        || listing instanceof Listing.Jobs;
  }

  /** What is done to namespaces themselves, and by whom, is kept under that of none. */
  private static void namespace(String namespace, boolean mayBeNone) {
    if (!(mayBeNone && namespace.equals(TableLayout.NO_NAMESPACE))) {
      NameRules.requireNamespace(namespace);
    }
  }

  private static String namespaceOf(Listing listing) {
    if (listing instanceof Listing.Roots roots) {
      return roots.namespace();
    }
    if (listing instanceof Listing.Children children) {
      return children.namespace();
    }
    if (listing instanceof Listing.BucketsOfResource buckets) {
      return buckets.namespace();
    }
    if (listing instanceof Listing.BucketsOfEntity buckets) {
      return buckets.namespace();
    }
    if (listing instanceof Listing.BucketsOfNamespace buckets) {
      return buckets.namespace();
    }
    if (listing instanceof Listing.ConfiguredEntities configs) {
      return configs.namespace();
    }
    if (listing instanceof Listing.DefaultedEntities configs) {
      return configs.namespace();
    }
    if (listing instanceof Listing.ConfigsOfEntity configs) {
      return configs.namespace();
    }
    if (listing instanceof Listing.ResourceConfigs configs) {
      return configs.namespace();
    }
    if (listing instanceof Listing.AuditOfSubject audit) {
      return audit.namespace();
    }
    if (listing instanceof Listing.AuditOfNamespace audit) {
      return audit.namespace();
    }
    if (listing instanceof Listing.UsageOfEntity usage) {
      return usage.namespace();
    }
    return listing instanceof Listing.Jobs jobs
        ? jobs.namespace()
        : ((Listing.ItemsOfEntity) listing).namespace();
  }

  private static void key(RecordKey key) {
    if (key instanceof RecordKey.Audit audit) {
      namespace(audit.namespace(), /* mayBeNone= */ true);
      text("subject", audit.subject(), MAX_SUBJECT);
      text("audit id", audit.id(), MAX_ID);
    } else if (key instanceof RecordKey.Job job) {
      namespace(job.namespace(), /* mayBeNone= */ true);
      text("job id", job.id(), MAX_ID);
    }
  }

  private static void text(String field, String value, int maxLength) {
    boolean storable =
        value
            .codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    if (value.isEmpty() || value.length() > maxLength || !storable) {
      throw new IllegalArgumentException(
          field
              + " '"
              + value
              + "' must have from 1 to "
              + maxLength
              + " characters, none of them a control character or half of one");
    }
  }

  /** A namespace under somebody else's key could be found by a name that is not its own. */
  private static void ownKey(StoredRecord record) {
    if (record instanceof NamespaceRecord namespace
        && !namespace.key().equals(new RecordKey.NamespaceByName(namespace.name()))
        && !namespace.key().equals(new RecordKey.NamespaceById(namespace.id()))) {
      throw new IllegalArgumentException("the key of " + namespace + " is that of another one");
    }
  }

  private static void named(StoredRecord record) {
    Set<String> names = new HashSet<>();
    if (record instanceof EntityRecord entity) {
      names.addAll(entity.metadata().keySet());
    } else if (record instanceof AuditEvent event) {
      names.addAll(event.before().keySet());
      names.addAll(event.after().keySet());
    } else if (record instanceof JobRecord job) {
      names.addAll(job.arguments().keySet());
    } else if (record instanceof ConfigRecord config && config.regions() != null) {
      names.addAll(config.regions().texts().keySet());
    }
    if (names.contains("")) {
      throw new IllegalArgumentException("a field without a name in " + record);
    }
  }

  private static void size(String call, int size, int max) {
    if (size < 1 || size > max) {
      throw new IllegalArgumentException(
          call + " of " + size + " must have from 1 to " + max + " keys");
    }
  }

  private static void once(String call, List<?> keys) {
    Set<Object> named = new HashSet<>();
    keys.forEach(key -> once(call, key, named.add(key)));
  }

  private static void once(String call, Object key, boolean first) {
    if (!first) {
      throw new IllegalArgumentException(call + " names " + key + " twice");
    }
  }
}
