package dev.millrace.tests.store;

import static dev.millrace.tests.store.DirectoryTable.audit;
import static dev.millrace.tests.store.DirectoryTable.config;
import static dev.millrace.tests.store.DirectoryTable.entity;
import static dev.millrace.tests.store.DirectoryTable.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.tests.store.DirectoryTable.Port;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Namespaces whose names begin alike, with the same entities and resources in each: no listing of
 * one has anything of another. Names that look like keys are refused before they get here.
 */
class NamespacesApartIT {
  private static final List<String> ENTITIES = List.of("x", "x:y", "x-y", "ENTITY", "a");
  private static final List<String> RESOURCES =
      List.of("r", "r/s", "RESOURCE/r", "BUCKET/x", "r.s-t_u/v");

  private static DirectoryTable table;
  private static List<String> namespaces;

  @BeforeAll
  static void open() {
    table = new DirectoryTable();
    String base = DirectoryTable.newNamespace();
    namespaces =
        List.of(base, base + "-b", base + "_", base + "ENTITY", base.toUpperCase(Locale.ROOT));
    namespaces.forEach(NamespacesApartIT::fill);
  }

  @AfterAll
  static void close() {
    table.close();
  }

  private static void fill(String namespace) {
    List<StoredRecord> records = new ArrayList<>();
    for (String id : ENTITIES) {
      records.add(entity(namespace, id, id.equals("x") ? null : "x"));
      records.add(config(RecordKey.Config.ofEntity(namespace, id), 1, "rpm"));
      records.add(audit(namespace, id, "id-1"));
      for (String resource : RESOURCES) {
        records.add(config(RecordKey.Config.ofEntityResource(namespace, id, resource), 1, "rpm"));
        table.createBuckets(Port.BLOCKING, new BucketKey(namespace, id, resource, 0));
      }
    }
    for (String resource : RESOURCES) {
      records.add(config(RecordKey.Config.ofResource(namespace, resource), 1, "rpm"));
    }
    records.add(config(RecordKey.Config.ofSystem(namespace), 1, "rpm"));
    records.add(job(namespace, "1"));
    table.create(Port.BLOCKING, records.toArray(StoredRecord[]::new));
  }

  @ParameterizedTest
  @EnumSource
  void list_everything_hasTheNamespacesOwnAndNoOthers(Port port) {
    for (String namespace : namespaces) {
      assertSize(port, namespace, new Listing.Roots(namespace), 1);
      assertSize(port, namespace, new Listing.Children(namespace, "x"), ENTITIES.size() - 1);
      assertSize(port, namespace, new Listing.DefaultedEntities(namespace), ENTITIES.size());
      assertSize(port, namespace, new Listing.ResourceConfigs(namespace), RESOURCES.size());
      assertSize(port, namespace, new Listing.AuditOfNamespace(namespace, "", ""), ENTITIES.size());
      assertSize(port, namespace, new Listing.Jobs(namespace), 1);
      assertSize(
          port,
          namespace,
          new Listing.BucketsOfNamespace(namespace),
          ENTITIES.size() * RESOURCES.size());
      for (String id : ENTITIES) {
        assertSize(port, namespace, new Listing.BucketsOfEntity(namespace, id), RESOURCES.size());
        assertSize(
            port, namespace, new Listing.ConfigsOfEntity(namespace, id), RESOURCES.size() + 1);
        assertSize(port, namespace, new Listing.ItemsOfEntity(namespace, id), RESOURCES.size() + 2);
        assertSize(port, namespace, new Listing.AuditOfSubject(namespace, id, "", ""), 1);
      }
      for (String resource : RESOURCES) {
        assertSize(
            port, namespace, new Listing.BucketsOfResource(namespace, resource), ENTITIES.size());
        assertSize(
            port, namespace, new Listing.ConfiguredEntities(namespace, resource), ENTITIES.size());
      }
    }
  }

  private static void assertSize(Port port, String namespace, Listing listing, int size) {
    List<ListEntry> entries = table.list(port, listing, 50);
    assertThat(entries).as("%s", listing).hasSize(size).doesNotHaveDuplicates();
    for (ListEntry entry : entries) {
      assertThat(namespaceOf(namespace, entry)).as("%s", listing).isEqualTo(namespace);
    }
  }

  private static String namespaceOf(String listed, ListEntry entry) {
    if (entry instanceof ListEntry.Bucket bucket) {
      return bucket.key().namespace();
    }
    if (entry instanceof ListEntry.Item item) {
      ItemAddress address = item.address();
      assertThat(address.partition()).startsWith(item.namespace() + "/");
      return item.namespace();
    }
    if (entry instanceof ListEntry.Stored stored) {
      RecordKey key = stored.record().key();
      if (key instanceof RecordKey.Config config) {
        return config.namespace();
      }
      return key instanceof RecordKey.Audit audit
          ? audit.namespace()
          : ((RecordKey.Job) key).namespace();
    }
    assertThat(ENTITIES).contains(((ListEntry.Entity) entry).entityId());
    return listed; // an id says nothing; that there are not too many does
  }
}
