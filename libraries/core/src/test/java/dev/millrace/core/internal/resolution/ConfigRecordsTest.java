package dev.millrace.core.internal.resolution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The versions of a resolution; which level wins is told in the tests of limiters. */
class ConfigRecordsTest {
  private static final LimitSet LIMITS = LimitSet.of(Limit.perMinute("rpm", 10));
  private static final RecordKey.Config PAIR = RecordKey.Config.ofEntityResource("ns", "e", "r");
  private static final RecordKey.Config OF_ENTITY = RecordKey.Config.ofEntity("ns", "e");

  private static EntityRecord entity(long version) {
    return new EntityRecord(
        new RecordKey.Entity("ns", "e"),
        version,
        "",
        null,
        List.of(),
        false,
        false,
        Map.of(),
        0,
        0);
  }

  private static ConfigRecord config(RecordKey.Config key, long version) {
    return new ConfigRecord(key, version, LIMITS, null, false, null, null);
  }

  private static RecordVersions versions(
      @Nullable EntityRecord entity, @Nullable ConfigRecord pair, @Nullable ConfigRecord ofEntity) {
    return new ConfigRecords(entity, pair, ofEntity, null, null).resolve().stamp().versions();
  }

  @Test
  void resolve_eachRecord_givesItsOwnVersion() {
    ConfigRecords levels =
        new ConfigRecords(
            entity(1),
            config(PAIR, 2),
            config(OF_ENTITY, 3),
            config(RecordKey.Config.ofResource("ns", "r"), 4),
            config(RecordKey.Config.ofSystem("ns"), 5));

    assertThat(levels.resolve().stamp().versions()).isEqualTo(new RecordVersions(1, 2, 3, 4, 5));
    assertThat(versions(null, null, null)).isEqualTo(RecordVersions.NONE);
  }

  /** Removed, made anew and removed again: no version is ever less than before. */
  @Test
  void resolve_entityRemovedAndMadeAnew_takesNoVersionBack() {
    RecordVersions before = versions(entity(4), config(PAIR, 9), config(OF_ENTITY, 2));
    ConfigRecord stone = config(OF_ENTITY, 2).asTombstone(/* removedVersion= */ 4);
    RecordVersions withoutEntity = versions(null, config(PAIR, 9), stone);
    ConfigRecord absorbed = stone.asTombstone(9);
    RecordVersions gone = versions(null, null, absorbed);
    long floor = absorbed.versionFloor();
    RecordVersions anew = versions(entity(floor + 1), null, absorbed);
    ConfigRecord first = ConfigRecord.empty(PAIR, floor).withLimits(LIMITS);
    RecordVersions limited = versions(entity(floor + 1), first, absorbed);
    RecordVersions goneAgain = versions(null, null, absorbed.asTombstone(first.version()));

    List<RecordVersions> history = List.of(before, withoutEntity, gone, anew, limited, goneAgain);
    for (int i = 1; i < history.size(); i++) {
      assertThat(history.get(i).isAtLeast(history.get(i - 1))).as("%s", history).isTrue();
      assertThat(history.get(i)).isNotEqualTo(history.get(i - 1));
    }
  }

  /** An old copy of them beside a new copy of the tombstone. */
  @Test
  void resolve_limitsNotAboveTheFloor_countAsNothing() {
    ConfigRecord stone = ConfigRecord.empty(OF_ENTITY).asTombstone(9);
    ConfigRecords mixed = new ConfigRecords(entity(11), config(PAIR, 9), stone, null, null);

    assertThat(mixed.winner()).isNull();
    assertThat(mixed.resolve().limits()).isNull();
    assertThat(mixed.resolve().stamp().versions())
        .isEqualTo(versions(entity(11), null, stone))
        .isEqualTo(new RecordVersions(11, 10, 1, 0, 0));
    assertThat(new ConfigRecords(entity(11), config(PAIR, 11), stone, null, null).winner())
        .isEqualTo(ConfigLevel.ENTITY_RESOURCE);
  }
}
