package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator's machine whose clock is off. */
class WrongClockTest {
  private static final BucketKey KEY = BucketKey.first("default", "e", "r");

  private final ManualClock right = new ManualClock(World.START_MS);
  private final InMemoryStore store = InMemoryStore.withClock(right::nowMs);

  private Admin admin(Duration off) {
    return Admin.of(
        store,
        AdminOptions.builder("tester")
            .clockMs(() -> right.nowMs() + off.toMillis())
            .pacer(ms -> right.advance(Duration.ofMillis(ms)))
            .concurrency(1)
            .build());
  }

  private void emptyBucket() {
    LimitState empty = new LimitState(Limit.perHour("rph", 60), 0, 0);
    BucketState state =
        new BucketState(
            KEY,
            World.START_MS,
            List.of(empty),
            BucketState.NEVER,
            "made",
            new ConfigStamp(
                ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.RESOURCE, 1), false));
    store.execute(new StoreCall.Write(new WritePlan.Create(state)), 1_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {-7_200, -5, 5, 7_200})
  void change_wrongClock_claimsNoTimeThatWasNot(long offSeconds) {
    emptyBucket();
    right.advance(Duration.ofMinutes(1));

    NamespaceAdmin ns = admin(Duration.ofSeconds(offSeconds)).in("default");
    ns.limits().set(LimitTarget.resource("r"), LimitSet.of(Limit.perHour("rph", 30)));

    BucketState after = Objects.requireNonNull(store.snapshot(KEY));
    assertThat(after.refilledAtMs() - right.nowMs()).isBetween(-1_500L, 1_500L);
    assertThat(after.limits().get(0).tokensMilli()).isBetween(950L, 1_050L);
    AuditEntry event = ns.audit().all(AuditQuery.newest(1)).items().get(0);
    assertThat(event.at().toEpochMilli() - right.nowMs()).isBetween(-1_500L, 1_500L);
  }

  @Test
  void change_clockALittleOff_isLeftAlone() {
    emptyBucket();
    right.advance(Duration.ofMinutes(1));
    NamespaceAdmin ns = admin(Duration.ofMillis(400)).in("default");
    ns.limits().set(LimitTarget.resource("r"), LimitSet.of(Limit.perHour("rph", 30)));
    assertThat(Objects.requireNonNull(store.snapshot(KEY)).refilledAtMs())
        .isEqualTo(right.nowMs() + 400);
  }
}
