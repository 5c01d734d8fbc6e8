package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The height of the tree below an entity. The index of children may lag behind, so when the exact
 * height is needed, and the entity is held, the index is read again until it shows as many children
 * as the entity itself counts.
 */
final class TreeHeight {
  /** Most descendants that are read. */
  static final int MAX_DESCENDANTS = 10_000;

  /** Most times that the index is read for the children of an entity. */
  private static final int MAX_LISTINGS = 6;

  private final NamespaceScope scope;
  private final boolean held;
  private int examined;

  private TreeHeight(NamespaceScope scope, boolean held) {
    this.scope = scope;
    this.held = held;
  }

  /**
   * The levels of the tree below and including {@code root}; one more than {@code most} when there
   * are more than that.
   *
   * @param held whether nothing can be added below it meanwhile; if not, the result is an estimate
   */
  static int of(NamespaceScope scope, EntityRecord root, int most, boolean held) {
    return new TreeHeight(scope, held).levels(root, most);
  }

  private int levels(EntityRecord root, int most) {
    List<EntityRecord> level = List.of(root);
    for (int levels = 1; levels <= most; levels++) {
      List<EntityRecord> parents = level.stream().filter(each -> each.children() > 0).toList();
      if (parents.isEmpty()) {
        return levels;
      }
      if (levels < most) {
        List<EntityRecord> below = new ArrayList<>();
        for (EntityRecord parent : parents) {
          below.addAll(children(parent));
          if (examined > MAX_DESCENDANTS) {
            throw ChangeRefusedException.of(
                Reason.TOO_MANY_DESCENDANTS,
                "entity",
                root.key().entityId(),
                "most",
                MAX_DESCENDANTS);
          }
        }
        level = below;
      }
    }
    return most + 1;
  }

  private List<EntityRecord> children(EntityRecord known) {
    EntityRecord before = known;
    for (int listings = 1; listings <= MAX_LISTINGS; listings++) {
      if (examined + before.children() > MAX_DESCENDANTS) {
        examined = MAX_DESCENDANTS + 1;
        return List.of();
      }
      List<EntityRecord> found = listed(before.key().entityId());
      EntityRecord after = (EntityRecord) scope.lookup(before.key());
      if (after == null) {
        return List.of(); // it had children, which have moved away
      }
      // Children can only leave. If none has left meanwhile, and all are found, these are all.
      boolean all = found.size() == before.children() && found.size() == after.children();
      if (all || !held) {
        examined += found.size();
        return found;
      }
      before = after;
      scope.tools().retry.backOff(listings);
    }
    throw new LimiterUnavailableException(
        "the index of children lags behind",
        Map.of("parent", before.key().entityId(), "children", before.children()),
        null);
  }

  private List<EntityRecord> listed(String parentId) {
    Set<RecordKey> keys = new LinkedHashSet<>();
    Listing listing = new Listing.Children(scope.id(), parentId);
    String cursor = null;
    do { // ends: every page moves the cursor, and nothing can be added to a held entity
      StoreReply.Page page = scope.list(listing, scope.options().pageSize(), cursor);
      for (ListEntry entry : page.entries()) {
        keys.add(new RecordKey.Entity(scope.id(), ((ListEntry.Entity) entry).entityId()));
      }
      cursor = page.cursor();
    } while (cursor != null && keys.size() <= MAX_DESCENDANTS);
    Map<RecordKey, StoredRecord> records = scope.lookup(keys);
    List<EntityRecord> found = new ArrayList<>();
    for (RecordKey key : keys) {
      if (records.get(key) instanceof EntityRecord child && parentId.equals(child.parentId())) {
        found.add(child);
      }
    }
    return found;
  }
}
