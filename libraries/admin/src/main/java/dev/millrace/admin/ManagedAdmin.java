package dev.millrace.admin;

import dev.millrace.admin.internal.Scope;
import dev.millrace.admin.internal.Subjects;
import dev.millrace.core.directory.EntityRecord;
import dev.millrace.core.directory.RecordChange;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.directory.StoredRecord;
import dev.millrace.core.entity.Names;
import dev.millrace.core.error.LimiterConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a manifest manages, remembered in the table: so that what a manifest no longer names can be
 * removed, and what others made is left alone.
 *
 * <p>It is kept in a fixed number of records, each below what one item can hold, so that to read
 * all of it costs the same few calls however many entities the namespace has. They are stored like
 * entities, below one that does not exist: in no list of anybody's, and gone with the namespace.
 */
public final class ManagedAdmin {
  /** Into how many records it is divided. */
  public static final int PAGES = 64;

  /** Most characters of one of them: names are a byte for each, and an item holds 400 KB. */
  public static final int MAX_CHARACTERS = 300_000;

  private static final String PARENT = "millrace.manifest";
  private static final String ACTION = "manifest.apply";

  private final Scope scope;
  private final String manifest;

  ManagedAdmin(Scope scope, String manifest) {
    this.scope = scope;
    this.manifest = Names.requireNamespace(manifest);
  }

  /** Everything, in the order of the numbers. */
  public List<ManagedPage> pages() {
    List<RecordKey> keys = new ArrayList<>();
    for (int number = 0; number < PAGES; number++) {
      keys.add(key(number));
    }
    Map<RecordKey, StoredRecord> found = scope.calls().lookup(keys);
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
   * @throws LimiterConfigurationException when somebody else changed it since it was read, or when
   *     there are more marks than it can hold
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
            scope.tools().nowMs(),
            0);
    if (scope.calls().commit(List.of(new RecordChange.Put(record, page.version()))) != null) {
      throw new LimiterConfigurationException(
          "somebody else applies the same manifest",
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

  /** Leaves an audit event that says that the manifest was applied, and what it changes. */
  public void applied(Map<String, String> summary) {
    scope
        .calls()
        .commit(List.of(scope.audit(Subjects.ofManifest(manifest), ACTION, Map.of(), summary)));
  }

  private RecordKey.Entity key(int number) {
    return new RecordKey.Entity(scope.id(), PARENT + ":" + manifest + ":" + number);
  }
}
