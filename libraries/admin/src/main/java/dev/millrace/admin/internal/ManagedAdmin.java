package dev.millrace.admin.internal;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.NameRules;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The record, kept in the table, of what a manifest manages: so that entries that the manifest no
 * longer names can be removed, and entries of other origin are left alone.
 *
 * <p>It is divided into a fixed number of records, each below the maximum size of an item, so that
 * reading all of it costs the same few calls however many entities the namespace has. They are
 * stored like entities, below a parent that does not exist: in no listing, and deleted with the
 * namespace.
 */
public final class ManagedAdmin {
  /** The number of records it is divided into. */
  public static final int PAGES = 64;

  /** Most characters of one record: names take one byte per character, and an item holds 400 KB. */
  public static final int MAX_CHARACTERS = 300_000;

  private static final String PARENT = "millrace.manifest";
  private static final String ACTION = "manifest.apply";

  private final NamespaceScope scope;
  private final String manifest;

  public ManagedAdmin(NamespaceScope scope, String manifest) {
    this.scope = scope;
    this.manifest = NameRules.requireNamespace(manifest);
  }

  /** All pages, in the order of their numbers. */
  public List<ManagedPage> pages() {
    List<RecordKey> keys = new ArrayList<>();
    for (int number = 0; number < PAGES; number++) {
      keys.add(key(number));
    }
    Map<RecordKey, StoredRecord> found = scope.lookup(keys);
    List<ManagedPage> pages = new ArrayList<>();
    for (int number = 0; number < PAGES; number++) {
      pages.add(
          found.get(keys.get(number)) instanceof EntityRecord record
              ? new ManagedPage(number, record.version(), new TreeMap<>(record.metadata()))
              : new ManagedPage(number, 0, new TreeMap<>()));
    }
    return pages;
  }

  /**
   * Replaces the marks of a page.
   *
   * @return the page as it is now
   * @throws LimiterConfigurationException when another process changed it since it was read, or
   *     when there are more marks than it can hold
   */
  public ManagedPage save(ManagedPage page, SortedMap<String, String> marks) {
    requireFitting(page, marks);
    EntityRecord record =
        new EntityRecord(
            key(page.number()),
            page.version() + 1,
            "",
            PARENT,
            List.of(),
            /* cascade= */ false,
            /* disabled= */ false,
            marks,
            scope.nowMs(),
            0);
    if (scope.commit(List.of(new RecordChange.Put(record, page.version()))) != null) {
      throw new LimiterConfigurationException(
          "another process applies the same manifest",
          attributes(page, "wait until that has ended, then run it again"),
          null);
    }
    return new ManagedPage(page.number(), page.version() + 1, marks);
  }

  private void requireFitting(ManagedPage page, SortedMap<String, String> marks) {
    long characters = 0;
    for (Map.Entry<String, String> mark : marks.entrySet()) {
      characters += mark.getKey().length() + mark.getValue().length();
    }
    if (characters > MAX_CHARACTERS) {
      throw new LimiterConfigurationException(
          "the manifest names more than can be remembered",
          attributes(page, "divide it into several with names of their own"),
          null);
    }
  }

  private Map<String, Object> attributes(ManagedPage page, String todo) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("manifest", manifest);
    attributes.put("page", page.number());
    attributes.put("todo", todo);
    return attributes;
  }

  /** Writes an audit event that the manifest was applied, with its changes. */
  public void applied(Map<String, String> summary) {
    scope.commit(
        List.of(scope.audit(AuditSubjects.ofManifest(manifest), ACTION, Map.of(), summary)));
  }

  private RecordKey.Entity key(int number) {
    return new RecordKey.Entity(scope.id(), PARENT + ":" + manifest + ":" + number);
  }
}
