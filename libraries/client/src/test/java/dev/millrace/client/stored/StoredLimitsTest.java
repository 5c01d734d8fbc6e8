package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.config.ConfigLevel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which limits hold for a request that brings none. */
class StoredLimitsTest {
  private final HierarchyBench bench = new HierarchyBench();

  private long capacity() {
    return bench.limit(HierarchyBench.key(ENTITY), "rpm").limit().capacityMilli() / Limit.MILLI;
  }

  private ConfigLevel level() {
    return bench.state(ENTITY).stamp().level();
  }

  /** Each level is added under those that were there, and wins over the weaker ones. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_severalLevels_theStrongestWins(Style style) {
    bench.directory.system(rpm(4));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(capacity()).isEqualTo(4);
    assertThat(level()).isEqualTo(ConfigLevel.SYSTEM);

    bench.directory.resource(RESOURCE, rpm(3));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(capacity()).isEqualTo(3);
    assertThat(level()).isEqualTo(ConfigLevel.RESOURCE);

    bench.directory.entity(ENTITY, rpm(20));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(capacity()).isEqualTo(20);
    assertThat(level()).isEqualTo(ConfigLevel.ENTITY);

    bench.directory.entityResource(ENTITY, RESOURCE, rpm(10));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(0));
    }
    assertThat(capacity()).isEqualTo(10);
    assertThat(level()).isEqualTo(ConfigLevel.ENTITY_RESOURCE);
  }

  /** The first level that has any wins as a whole: limits of weaker ones are not added. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_strongerLevelHasOtherLimits_theWeakerOnesDoNotHold(Style style) {
    bench.directory.system(rpm(4), Limit.perMinute("tpm", 100));
    bench.directory.entity(ENTITY, rpm(2));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));

      assertThat(bench.state(ENTITY).find("tpm")).isNull();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> caller.acquire(AcquireRequest.of(ENTITY, RESOURCE).consume("tpm", 1)))
          .withMessage("limit 'tpm' is not one of the limits of this bucket: [rpm]");
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitsOnTheCall_areStrongerThanAllStored(Style style) {
    bench.directory.entityResource(ENTITY, RESOURCE, rpm(10));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1).limits(rpm(2)));

      assertThat(capacity()).isEqualTo(2);
      assertThat(level()).isEqualTo(ConfigLevel.CALL);
      assertThat(caller.tryAcquire(request(2).limits(rpm(2))).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_levelEmptied_theNextOneHolds(Style style) {
    bench.directory.system(rpm(4));
    bench.directory.entity(ENTITY, rpm(10));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.entity(ENTITY);
      caller.invalidate();
      caller.acquire(request(1));
    }
    assertThat(capacity()).isEqualTo(4);
    assertThat(level()).isEqualTo(ConfigLevel.SYSTEM);
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_noLimitsAnywhere_saysWhatToDo(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThatExceptionOfType(LimiterConfigurationException.class)
          .isThrownBy(() -> caller.acquire(request(1)))
          .satisfies(
              e -> {
                assertThat(e.attributes()).containsEntry("entity", ENTITY);
                assertThat(e.attributes()).containsEntry("resource", RESOURCE);
                assertThat(e.attributes().get("todo").toString()).contains("store limits");
              });
      assertThat(bench.memory.size()).isZero();
    }
  }

  /** That there are none is remembered, but not for a minute. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_noLimitsAndHammered_isLookedUpOnceASecond(Style style) {
    try (Caller caller = bench.caller(style)) {
      int lookUps =
          bench.lookUps(
              () -> {
                for (int i = 0; i < 100; i++) {
                  assertThatExceptionOfType(LimiterConfigurationException.class)
                      .isThrownBy(() -> caller.acquire(request(1)));
                  bench.advance(30);
                }
              });
      assertThat(lookUps).isBetween(1, 4);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitsStoredLater_areFoundAfterASecond(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThatExceptionOfType(LimiterConfigurationException.class)
          .isThrownBy(() -> caller.acquire(request(1)));
      bench.directory.resource(RESOURCE, rpm(10));
      bench.advance(1_000);

      caller.acquire(request(1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_namedLimitAddedLater_isFoundAfterASecond(Style style) {
    bench.directory.entity(ENTITY, rpm(10));
    AcquireRequest both = request(1).consume("tpm", 5);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.entity(ENTITY, rpm(10), Limit.perMinute("tpm", 100));
      int lookUps =
          bench.lookUps(
              () ->
                  assertThatIllegalArgumentException()
                      .isThrownBy(() -> caller.acquire(both))
                      .withMessage("limit 'tpm' is not one of the limits of this bucket: [rpm]"));
      assertThat(lookUps).isZero(); // what is known is a moment old

      bench.advance(1_000);
      caller.acquire(both);

      assertThat(bench.consumed(HierarchyBench.key(ENTITY), "tpm")).isEqualTo(5);
      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
    }
  }

  /** A wrong request that comes again and again makes no flood of look-ups. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_unknownLimitHammered_isLookedUpOnceASecond(Style style) {
    bench.directory.entity(ENTITY, rpm(10));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      int lookUps =
          bench.lookUps(
              () -> {
                for (int i = 0; i < 100; i++) {
                  bench.advance(30);
                  assertThatIllegalArgumentException()
                      .isThrownBy(() -> caller.acquire(request(1).consume("tpm", 1)));
                }
              });
      assertThat(lookUps).isBetween(2, 3);
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }

  /** Also when the process has forgotten the bucket and remembers only records. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_unknownLimitFromOldRecords_isLookedUpAnew(Style style) {
    bench.directory.resource(RESOURCE, rpm(10));
    try (Caller caller = bench.caller(style, bench.options().maxMirrors(1))) {
      caller.acquire(request(1));
      bench.directory.resource(RESOURCE, rpm(10), Limit.perMinute("tpm", 100));
      for (int i = 0; i < 20; i++) {
        caller.acquire(request("other-" + i, 1)); // takes the bucket's place
      }
      bench.advance(2_000);

      caller.acquire(AcquireRequest.of(ENTITY, RESOURCE).consume("tpm", 1));

      assertThat(bench.consumed(HierarchyBench.key(ENTITY), "tpm")).isEqualTo(1);
    }
  }
}
