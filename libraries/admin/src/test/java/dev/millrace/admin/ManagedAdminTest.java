package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.admin.internal.ManagedAdmin;
import dev.millrace.admin.internal.ManagedPage;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ManagedAdminTest {
  private final World world = new World();
  private final ManagedAdmin managed = world.ns.managed("m");

  @Test
  void pages_neverWritten_areEmpty() {
    assertThat(managed.pages())
        .hasSize(ManagedAdmin.PAGES)
        .allMatch(page -> page.version() == 0 && page.marks().isEmpty());
    assertThat(world.everything()).as("looking writes nothing").isEmpty();
  }

  @Test
  void save_isReadBack_byThisManifestAlone() {
    managed.save(managed.pages().get(3), new TreeMap<>(Map.of("e key", "1")));

    assertThat(managed.pages().get(3).marks()).containsExactly(Map.entry("e key", "1"));
    assertThat(world.ns.managed("other").pages()).allMatch(page -> page.marks().isEmpty());
    assertThat(world.ns.entities().roots(10, null).items()).as("in nobody's list").isEmpty();
  }

  @Test
  void save_afterSomebodyElse_isRefused() {
    ManagedPage old = managed.pages().get(0);
    ManagedPage saved = managed.save(old, new TreeMap<>(Map.of("a", "1")));

    assertThatThrownBy(() -> managed.save(old, new TreeMap<>()))
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining("another process");
    assertThat(managed.save(saved, new TreeMap<>()).version()).isEqualTo(2);
  }

  @Test
  void save_moreThanAnItemHolds_isRefused() {
    TreeMap<String, String> marks = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      marks.put("k" + i, "x".repeat(ManagedAdmin.MAX_CHARACTERS / 10));
    }

    assertThatThrownBy(() -> managed.save(managed.pages().get(0), marks))
        .hasMessageContaining("more than can be remembered");
  }

  @Test
  void applied_isAnAuditEvent() {
    managed.applied(Map.of("added", "3"));

    assertThat(world.actions("$MANIFEST:m")).containsExactly("manifest.apply");
  }

  @Test
  void shardsAndBuckets_areListedOneByOne() {
    world.ns.limits().set(LimitTarget.resource("r"), World.RPM_100);
    world.open("a", "r", 2);
    world.open("b", "r");

    assertThat(world.ns.buckets().shards("a", "r"))
        .extracting(shard -> shard.limits().get(0).ceilingMilli())
        .containsExactly(50_000L, 50_000L);
    assertThat(world.ns.buckets().shards("nobody", "r")).isEmpty();
    assertThat(world.ns.buckets().ofEntity("a", 10, null).items())
        .extracting(BucketReport::shards)
        .containsExactly(2);
    assertThat(world.ns.buckets().all(10, null).items()).hasSize(2);
  }
}
