package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The laws of the tree of entities, checked on what is stored. */
final class Trees {
  private Trees() {}

  /** Nobody is too deep or their own ancestor, and everybody's children are counted. */
  static void assertSound(World world, Collection<String> ids) {
    Map<String, EntityRecord> all = new HashMap<>();
    for (String id : ids) {
      EntityRecord record = world.entity(id);
      if (record != null) {
        all.put(id, record);
      }
    }
    Map<String, Long> children = new HashMap<>();
    for (EntityRecord record : all.values()) {
      Set<String> chain = new HashSet<>();
      EntityRecord at = record;
      while (at != null) {
        assertThat(chain.add(at.key().entityId())).as("no cycle at %s", at).isTrue();
        String parentId = at.parentId();
        at = parentId == null ? null : Objects.requireNonNull(all.get(parentId), "lost parent");
      }
      assertThat(chain).as("depth of %s", record).hasSizeLessThanOrEqualTo(EntityAdmin.MAX_LEVELS);
      if (record.parentId() != null) {
        children.merge(record.parentId(), 1L, Long::sum);
      }
    }
    all.forEach(
        (id, record) ->
            assertThat(record.children())
                .as("children of %s", id)
                .isEqualTo(children.getOrDefault(id, 0L)));
    assertThat(listedFromTheTop(world)).containsExactlyInAnyOrderElementsOf(all.keySet());
  }

  private static List<String> listedFromTheTop(World world) {
    List<String> found = new ArrayList<>();
    Deque<Listing> open = new ArrayDeque<>(List.of(new Listing.Roots(World.NS)));
    while (!open.isEmpty()) {
      for (ListEntry entry : world.listed(open.pop())) {
        String id = ((ListEntry.Entity) entry).entityId();
        found.add(id);
        open.push(new Listing.Children(World.NS, id));
      }
    }
    return found;
  }
}
