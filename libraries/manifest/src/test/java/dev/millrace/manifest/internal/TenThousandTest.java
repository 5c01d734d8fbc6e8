package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.manifest.NamespaceManifest;
import dev.millrace.manifest.World;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest of ten thousand entities, killed half-way again and again. */
class TenThousandTest {
  private static final int TEAMS = 100;
  private static final int ENTITIES = 10_000;

  private static SpecSource manifest(Path directory) throws IOException {
    Path file = directory.resolve("limits.yaml");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("version: 1\nresources: {gpt: {limits: [rpm:100]}}\nentities:\n");
      for (int i = 0; i < ENTITIES - TEAMS; i++) {
        out.write("  key-%d: {parent: team-%d, cascade: true, ".formatted(i, i % TEAMS));
        out.write("resources: {gpt: {limits: [rpm:%d]}}}\n".formatted(i % 50 + 1));
      }
      for (int i = 0; i < TEAMS; i++) {
        out.write("  team-%d: {limits: [rpm:5000]}\n".formatted(i));
      }
    }
    return new ManifestFile(file);
  }

  @Test
  void planned_killedAndResumed_writesNothingMore(@TempDir Path directory) throws IOException {
    World world = new World();
    SpecSource source = manifest(directory);
    assertThat(ManifestOutline.of(source).entities()).isEqualTo(ENTITIES);
    assertThat(world.plan(source)).hasSize(2 * ENTITIES + 1);

    int kills = 0;
    for (long life = 3_000; ; life += 6_000) { // ends: at last it lives long enough
      world.writesToLive.set(life);
      if (isDone(world, source)) {
        break;
      }
      kills++;
    }
    world.writesToLive.set(Long.MAX_VALUE);

    assertThat(kills).isGreaterThanOrEqualTo(2);
    assertThat(world.plan(source)).isEmpty();
    assertThat(world.ns.entities().get("key-9899").orElseThrow().parentId()).isEqualTo("team-99");
    world.writes.set(0);
    assertThat(world.apply(source).counts().all()).isZero();
    assertThat(world.writes).hasValue(0);
    assertThat(world.largest.get()).as("things in one answer").isLessThanOrEqualTo(100);

    drift(world, source);
  }

  private static boolean isDone(World world, SpecSource source) {
    try {
      NamespaceManifest.Result result = world.apply(source);
      assertThat(result.refusals()).isEmpty();
      assertThat(result.counts().drifted()).as("what was only not made yet").isZero();
      return true;
    } catch (IllegalStateException e) {
      assertThat(e).hasCauseInstanceOf(World.Killed.class);
      return false;
    } catch (World.Killed e) {
      return false;
    }
  }

  private static void drift(World world, SpecSource source) {
    LimitSet other = LimitSet.of(Limit.perMinute("rpm", 77_777));
    for (int i = 0; i < 5; i++) {
      world.ns.limits().set(LimitTarget.entityResource("key-" + i, "gpt"), other);
    }
    world.ns.entities().delete("key-5");
    List<ManifestChange> drifted = world.plan(source);

    assertThat(drifted).hasSize(7).allMatch(ManifestChange::drift);
    assertThat(world.apply(source).counts().drifted()).isEqualTo(7);
    assertThat(world.plan(source)).isEmpty();
  }

  /** The test above sees a store that dies: this one that it would see one that loses writes. */
  @Test
  void whatWasNotWritten_isMissed(@TempDir Path directory) throws IOException {
    World world = new World();
    SpecSource source = manifest(directory);
    world.writesToLive.set(500);

    assertThatThrownBy(() -> world.apply(source)).isInstanceOf(Throwable.class);
    world.writesToLive.set(Long.MAX_VALUE);

    assertThat(world.plan(source)).isNotEmpty();
  }
}
