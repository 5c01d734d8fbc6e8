package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A change that does not reach the buckets in one go, or not alone. */
class FanOutInterruptedTest {
  private static final LimitSet RPM_5 = LimitSet.of(Limit.perMinute("rpm", 5));

  private final World world = new World();
  private final LimitAdmin limits = world.ns.limits();

  private JobView buckets(ChangeResult result) {
    return Objects.requireNonNull(result.buckets());
  }

  private void assertFollows(String entityId, String resource, int shard) {
    BucketState bucket = world.bucket(entityId, resource, shard);
    EffectiveLimits terms = Objects.requireNonNull(world.terms(entityId, resource));
    assertThat(World.limitsOf(bucket)).isEqualTo(terms.limits());
    assertThat(bucket.stamp()).isEqualTo(terms.stamp());
  }

  /** Killed after some pages, and finished by another process from where it was. */
  @Test
  void killed_goesOnFromItsCursor() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 300; i++) {
      world.open("e" + i, "r");
    }
    int[] pages = {0};
    SetOptions killed =
        SetOptions.DEFAULT.reportingTo(
            report -> {
              if (++pages[0] == 2) {
                throw new IllegalStateException("killed");
              }
            });
    assertThatThrownBy(() -> limits.set(LimitTarget.resource("r"), RPM_5, killed))
        .hasMessage("killed");

    JobAdmin jobs = world.another().in(World.NS).jobs();
    JobView left = jobs.unfinished(100, null).items().get(0);
    assertThat(left.kind()).isEqualTo("refresh.resource");
    assertThat(left.examined()).isEqualTo(200);
    world.recording.clear();
    List<JobView> resumed = jobs.resumeAll(ProgressListener.NONE);

    assertThat(resumed)
        .extracting(JobView::id, JobView::isDone, JobView::examined, JobView::changed)
        .containsExactly(tuple(left.id(), true, 300L, 300L));
    assertThat(world.recording.roundTrips(Calls.writes())).isEqualTo(100);
    assertThat(jobs.unfinished(100, null).items()).isEmpty();
    assertThat(jobs.get(left.id()).orElseThrow().isDone()).isTrue();
    for (int i = 0; i < 300; i++) {
      assertFollows("e" + i, "r", 0);
    }
  }

  @Test
  void killedBeforeTheFirstPage_repeatingTheChangeFinishesIt() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    world.open("e", "r");
    world.store.once(
        call -> call instanceof StoreCall.ListPage,
        Fault.raise(new IllegalStateException("killed")));
    assertThatThrownBy(() -> limits.set(LimitTarget.resource("r"), RPM_5)).hasMessage("killed");
    assertThat(World.limitsOf(world.bucket("e", "r"))).isEqualTo(World.RPM_100);

    ChangeResult again = limits.set(LimitTarget.resource("r"), RPM_5);

    assertThat(again.changed()).isFalse();
    assertThat(buckets(again).changed()).isEqualTo(1);
    assertFollows("e", "r", 0);
    assertThat(world.actions("$RESOURCE:r")).containsExactly("limits.set", "limits.set");
  }

  @Test
  void resumedByTwo_theLoserStopsAndNothingIsLost() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 300; i++) {
      world.open("e" + i, "r");
    }
    JobAdmin others = world.another().in(World.NS).jobs();
    List<JobView> theirs = new ArrayList<>();
    int[] pages = {0};
    SetOptions meeting =
        SetOptions.DEFAULT.reportingTo(
            report -> {
              if (++pages[0] == 1) {
                theirs.addAll(others.resumeAll(ProgressListener.NONE));
              }
            });

    JobView ours = buckets(limits.set(LimitTarget.resource("r"), RPM_5, meeting));

    assertThat(theirs).hasSize(1);
    assertThat(theirs.get(0).isDone()).isTrue();
    assertThat(ours.isDone()).as("by now it is done, whoever did it").isTrue();
    assertThat(pages[0]).isEqualTo(1);
    assertThat(ours.examined()).isEqualTo(300);
    for (int i = 0; i < 300; i++) {
      assertFollows("e" + i, "r", 0);
    }
  }

  @Test
  void takenOverAndNotDone_saysSo() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 300; i++) {
      world.open("e" + i, "r");
    }
    JobAdmin others = world.another().in(World.NS).jobs();
    int[] pages = {0};
    ProgressListener oneMorePage =
        report -> {
          throw new IllegalStateException("killed");
        };
    SetOptions meeting =
        SetOptions.DEFAULT.reportingTo(
            report -> {
              if (++pages[0] == 1) {
                assertThatThrownBy(() -> others.resumeAll(oneMorePage)).hasMessage("killed");
              }
            });

    JobView ours = buckets(limits.set(LimitTarget.resource("r"), RPM_5, meeting));

    assertThat(ours.isDone()).isFalse();
    assertThat(ours.examined()).isEqualTo(200);
  }

  /** A slow fan-out of an earlier change must not undo a later one, nor one that took it back. */
  @Test
  void earlierChangeStillOnItsWay_doesNotUndoALaterOne() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    world.open("e", "r");
    LimitAdmin others = world.another().in(World.NS).limits();
    world.store.once(
        Calls.writes(), Fault.before(() -> others.set(LimitTarget.resource("r"), World.RPM_100)));

    JobView late = buckets(limits.set(LimitTarget.resource("r"), RPM_5));

    assertThat(world.store.rulesLeft()).isZero();
    assertThat(late.changed()).isZero();
    assertFollows("e", "r", 0);
    assertThat(World.limitsOf(world.bucket("e", "r"))).isEqualTo(World.RPM_100);
  }

  /** The bucket follows the one change, and the look-up of the other has not seen it yet. */
  @Test
  void anotherChangeComesToTheBucketFirst_bothArrive() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    limits.set(LimitTarget.entityResource("e", "r"), World.RPM_100);
    BucketKey key = world.open("e", "r").key();
    RecordKey.Config pair = RecordKey.Config.ofEntityResource(World.NS, "e", "r");
    ConfigRecord lowered =
        ((ConfigRecord) Objects.requireNonNull(world.memory.record(pair))).withLimits(RPM_5);
    EffectiveLimits theirs =
        Objects.requireNonNull(
            ConfigRecords.of(
                    World.NS, "e", "r", of -> of.equals(pair) ? lowered : world.memory.record(of))
                .resolve()
                .terms(null));
    world.store.once(
        Calls.writes(),
        Fault.before(
            () -> {
              world.memory.put(lowered);
              world.memory.remove(key);
              world.clock.advance(Duration.ofMillis(5));
              world.create(key, 1, theirs.limits(), theirs.stamp());
            }));

    ChangeResult off = world.ns.limits().setDisabled("r", true);

    assertThat(buckets(off).changed()).isEqualTo(1);
    assertThat(world.store.rulesLeft()).isZero();
    BucketState bucket = world.bucket("e", "r");
    assertThat(World.limitsOf(bucket)).isEqualTo(RPM_5);
    assertThat(bucket.stamp().disabled()).isTrue();
    assertThat(bucket.stamp().versions()).isEqualTo(new RecordVersions(0, 2, 0, 2, 0));
  }

  @Test
  void lockLostAgainAndAgain_getsThrough() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    BucketKey key = world.open("e", "r").key();
    int[] lost = {0};
    for (int i = 0; i < 5; i++) {
      world.store.once(
          Calls.writes(),
          Fault.before(
              () -> {
                lost[0]++;
                world.memory.remove(key);
                world.clock.advance(Duration.ofMillis(5));
                world.create(
                    key,
                    1,
                    World.RPM_100,
                    new ConfigStamp(
                        ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.RESOURCE, 1), false));
              }));
    }

    assertThat(buckets(limits.set(LimitTarget.resource("r"), RPM_5)).changed()).isEqualTo(1);

    assertThat(lost[0]).isEqualTo(5);
    assertFollows("e", "r", 0);
  }

  @Test
  void storeFailsNowAndThen_everyBucketFollows() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 120; i++) {
      world.open("e" + i, "r");
    }
    int[] calls = {0};
    world.store.always(call -> ++calls[0] % 5 == 0, Fault.throttle());
    world.store.always(call -> calls[0] % 11 == 0, Fault.loseReply());
    world.store.always(call -> calls[0] % 13 == 0, Fault.loseRequest());
    world.store.always(call -> calls[0] % 7 == 0 && call.writes(), Fault.conflict());

    assertThat(buckets(limits.set(LimitTarget.resource("r"), RPM_5)).isDone()).isTrue();

    world.store.heal();
    for (int i = 0; i < 120; i++) {
      assertFollows("e" + i, "r", 0);
    }
  }

  @Test
  void storeAway_changeHoldsAndTheErrorSaysWhatToDo() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    world.open("e", "r");
    world.store.always(Calls.writes(), Fault.unreachable());

    assertThatThrownBy(() -> limits.set(LimitTarget.resource("r"), RPM_5))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("the change was made, but the work that follows it was interrupted")
        .hasMessageContaining("todo=resume the job");

    assertThat(limits.get(LimitTarget.resource("r")).orElseThrow().limits()).isEqualTo(RPM_5);
    assertThat(world.ns.jobs().unfinished(10, null).items()).hasSize(1);
  }
}
