package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.testkit.InMemoryUsageStore;
import dev.millrace.testkit.internal.generator.UsageGen;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UsageAdminTest {
  private static final Instant START = Instant.ofEpochMilli(World.START_MS);

  private final World world = new World();
  private final InMemoryUsageStore store = new InMemoryUsageStore();
  private final UsageAdmin usage = world.ns.usage(store);
  private long number;

  private void used(String entity, Window window, Instant at, String limit, long milli) {
    used(entity, window, at, limit, milli, UsageWrite.NEVER);
  }

  private void used(
      String entity, Window window, Instant at, String limit, long milli, long expiresAtSeconds) {
    UsageKey key = UsageKey.at(World.NS, entity, "gpt-4", window, at.toEpochMilli());
    assertThat(store.apply(UsageGen.adding(key, limit, milli, ++number, expiresAtSeconds)))
        .isInstanceOf(UsageReply.Applied.class);
  }

  private static Instant hours(int hours) {
    return START.plus(hours, ChronoUnit.HOURS);
  }

  @Test
  void range_pages_areAllPiecesInOrder() {
    for (int hour = 0; hour < 7; hour++) {
      used("a", Window.HOUR, hours(hour), "rpm", hour);
    }
    List<Long> seen = new ArrayList<>();
    String cursor = null;
    do {
      Page<Usage> page = usage.range("a", "gpt-4", Window.HOUR, hours(0), hours(6), 2, cursor);
      page.items().forEach(item -> seen.add(item.milli("rpm")));
      cursor = page.cursor();
    } while (cursor != null);
    // The first hour began before the range does.
    assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void summary_range_isTotalAndPeak() {
    used("a", Window.DAY, hours(0), "rpm", 1_000);
    used("a", Window.DAY, hours(24), "rpm", 5_000);
    used("a", Window.DAY, hours(48), "rpm", 2_000);
    used("a", Window.DAY, hours(48), "tpm", -7);
    used("b", Window.DAY, hours(24), "rpm", 9_000);

    UsageSummary summary = usage.summary("a", "gpt-4", Window.DAY, hours(-24), hours(72));

    assertThat(summary.pieces()).isEqualTo(3);
    assertThat(summary.events()).isEqualTo(4);
    UsageSummary.Total rpm = Objects.requireNonNull(summary.limits().get("rpm"));
    assertThat(rpm.totalMilli()).isEqualTo(8_000);
    assertThat(rpm.peakMilli()).isEqualTo(5_000);
    assertThat(rpm.peakStart()).isEqualTo(hours(24).truncatedTo(ChronoUnit.DAYS));
    assertThat(summary.milli("tpm")).isEqualTo(-7);
    assertThat(usage.summary("c", "gpt-4", Window.DAY, hours(0), hours(9)))
        .isEqualTo(UsageSummary.NONE);
  }

  @Test
  void top_manyPages_areTheMostFirst() {
    for (int i = 0; i < 250; i++) {
      used("e" + (1_000 + i), Window.DAY, START, "rpm", (i * 37) % 250);
    }
    List<Usage> top = usage.top("gpt-4", "rpm", Window.DAY, START, 3);
    assertThat(top).extracting(item -> item.milli("rpm")).containsExactly(249L, 248L, 247L);
    assertThat(usage.top("gpt-4", "tpm", Window.DAY, START, 3)).isEmpty();
    assertThat(usage.top("gpt-4", "rpm", Window.DAY, hours(24), 3)).isEmpty();
    assertThat(usage.ofResource("gpt-4", Window.DAY, START).pieces()).isEqualTo(250);
    assertThat(usage.ofResource("gpt-4", Window.DAY, START).milli("rpm")).isEqualTo(249 * 250 / 2);
  }

  @Test
  void top_equals_areByIdAndBadCountsRefused() {
    for (String entity : List.of("c", "a", "b")) {
      used(entity, Window.DAY, START, "rpm", 5);
    }
    assertThat(usage.top("gpt-4", "rpm", Window.DAY, START, 2))
        .extracting(Usage::entityId)
        .containsExactly("a", "b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usage.top("gpt-4", "rpm", Window.DAY, START, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usage.top("gpt-4", "wcu", Window.DAY, START, 1));
  }

  @Test
  void hierarchy_isTheChainAndTheChildren() {
    world.ns.entities().create(NewEntity.of("org"));
    world.ns.entities().create(NewEntity.of("team").under("org"));
    for (String key : List.of("key-1", "key-2", "key-3")) {
      world.ns.entities().create(NewEntity.of(key).under("team"));
    }
    used("org", Window.DAY, START, "rpm", 111);
    used("team", Window.DAY, START, "rpm", 11);
    used("key-1", Window.DAY, START, "rpm", 1);
    used("key-3", Window.DAY, START, "rpm", 3);

    assertThat(usage.alongAncestors("key-1", "gpt-4", Window.DAY, START))
        .extracting(Usage::entityId, item -> item.milli("rpm"))
        .containsExactly(tuple("key-1", 1L), tuple("team", 11L), tuple("org", 111L));
    assertThat(usage.ofChildren("team", "gpt-4", Window.DAY, START, 10, null).items())
        .extracting(item -> item.milli("rpm"))
        .containsExactly(1L, 0L, 3L);
    UsageSummary children = usage.ofChildren("team", "gpt-4", Window.DAY, START);
    assertThat(children.pieces()).isEqualTo(2);
    assertThat(children.milli("rpm")).isEqualTo(4);
    assertThat(usage.alongAncestors("nobody", "gpt-4", Window.DAY, START))
        .singleElement()
        .satisfies(none -> assertThat(none.events()).isZero());
  }

  @Test
  void expired_isNotShown() {
    long nowSeconds = World.START_MS / 1_000;
    used("a", Window.HOUR, START, "rpm", 5, nowSeconds);
    used("b", Window.HOUR, START, "rpm", 6, nowSeconds + 1);
    assertThat(usage.top("gpt-4", "rpm", Window.HOUR, START, 5))
        .extracting(Usage::entityId)
        .containsExactly("b");
    assertThat(usage.range("a", "gpt-4", Window.HOUR, hours(-1), hours(1), 5, null).items())
        .isEmpty();
    assertThat(usage.alongAncestors("a", "gpt-4", Window.HOUR, START).get(0).events()).isZero();
  }

  /** Another namespace with the same names. */
  @Test
  void namespaces_areApart() {
    used("a", Window.HOUR, START, "rpm", 5);
    world.admin.namespaces().register("other");
    UsageAdmin other = world.admin.in("other").usage(store);
    assertThat(other.top("gpt-4", "rpm", Window.HOUR, START, 5)).isEmpty();
    assertThat(other.summary("a", "gpt-4", Window.HOUR, hours(-1), hours(1)).pieces()).isZero();
  }
}
