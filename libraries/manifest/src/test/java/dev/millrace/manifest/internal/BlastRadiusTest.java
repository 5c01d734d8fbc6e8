package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.manifest.World;
import dev.millrace.testkit.InMemoryUsageStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlastRadiusTest {
  private static final Instant NOW = Instant.parse("2026-11-15T20:30:00Z");

  private final World world = new World();
  private final InMemoryUsageStore counted = new InMemoryUsageStore();

  private void used(String entity, int hoursAgo, long tokens) {
    SequenceNumber number = SequenceNumber.of("1");
    counted.apply(
        new UsageWrite(
            UsageKey.at(
                "default",
                entity,
                "gpt",
                Window.HOUR,
                NOW.minus(Duration.ofHours(hoursAgo)).toEpochMilli()),
            Map.of("rpm", tokens * Limit.MILLI),
            1,
            new UsageWrite.InOrder(Map.of(0, new UsageWrite.Run(number, number))),
            UsageWrite.NEVER));
  }

  private BlastRadius radius(String yaml) {
    UsageAdmin usage = world.ns.usage(counted);
    BlastRadius radius = new BlastRadius(world.ns, usage, NOW);
    SpecSource source = World.source(yaml);
    ManifestPlanner.of(world.ns, ManifestOutline.of(source), "default", radius, change -> {});
    return radius;
  }

  @Test
  void most_isTheBurstAndAnHourOfRefill() {
    assertThat(BlastRadius.mostMilli(Limit.perMinute("rpm", 10))).isEqualTo(610_000);
    assertThat(BlastRadius.mostMilli(Limit.perDay("rpd", 24).withBurst(100))).isEqualTo(101_000);
  }

  @Test
  void newResourceLimit_tellsThoseWhoUsedMore() {
    used("heavy", 3, 611);
    used("light", 3, 610);
    used("old", 30, 100_000);
    used("own", 2, 5_000);
    world
        .ns
        .limits()
        .set(LimitTarget.entityResource("own", "gpt"), LimitSet.of(Limit.perMinute("rpm", 1_000)));

    BlastRadius radius = radius("version: 1\nresources: {gpt: {limits: [rpm:10]}}");

    assertThat(radius.refused())
        .extracting(refused -> refused.entityId() + " " + refused.usedMilli())
        .containsExactly("heavy 611000");
    assertThat(radius.unseenLevels()).isZero();
  }

  @Test
  void newEntityLimit_looksAtItsOwnUsage_softOnesRefuseNobody() {
    used("key", 23, 1_000);

    assertThat(
            radius("version: 1\nentities: {key: {resources: {gpt: {limits: [rpm:10]}}}}").refused())
        .hasSize(1);
    assertThat(
            radius("version: 1\nentities: {key: {resources: {gpt: {limits: [rpm:10:soft]}}}}")
                .refused())
        .isEmpty();
    assertThat(
            radius("version: 1\nentities: {key: {resources: {gpt: {limits: [rpm:100]}}}}")
                .refused())
        .isEmpty();
  }

  @Test
  void manyLevels_areCountedAndNotLookedAt() {
    StringBuilder yaml = new StringBuilder("version: 1\nentities:\n");
    for (int i = 0; i < BlastRadius.MAX_LEVELS + 7; i++) {
      yaml.append("  k").append(i).append(": {resources: {gpt: {limits: [rpm:1]}}}\n");
    }

    assertThat(radius(yaml.toString()).unseenLevels()).isEqualTo(7);
  }
}
