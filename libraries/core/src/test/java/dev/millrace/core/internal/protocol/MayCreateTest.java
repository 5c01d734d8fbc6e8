package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.JointCase.FIVE;
import static dev.millrace.core.internal.protocol.JointCase.KEY;
import static dev.millrace.core.internal.protocol.JointCase.TEAM;
import static dev.millrace.core.internal.protocol.JointCase.bucket;
import static dev.millrace.core.internal.protocol.JointCase.part;
import static dev.millrace.core.internal.protocol.JointCase.seen;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Script;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A bucket that does not exist is not made with terms from memory: it could not tell. */
class MayCreateTest {
  private static final EffectiveLimits ON = new EffectiveLimits(LIMITS, on(RESOURCE, 5));
  private static final EffectiveLimits OFF = new EffectiveLimits(LIMITS, off(RESOURCE, 5));

  private static CommitProtocol fromMemory(EffectiveLimits terms, BucketDemand... demands) {
    return new CommitProtocol(
        Buckets.KEY,
        terms,
        /* mayCreate= */ false,
        List.of(demands),
        PlanSettings.DEFAULT,
        CommitCase.ops());
  }

  @Test
  void start_noBucket_isOutdatedAndWritesNothing() {
    CommitResult result =
        Script.of(fromMemory(ON, acquire(1)).start(null, T)).read(null, T).result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Outdated(ConfigStamp.CALL));
  }

  @Test
  void startAbsent_noBucket_isOutdatedAtNoCost() {
    assertThat(Script.of(fromMemory(ON, acquire(1)).startAbsent(T)).result().outcomes())
        .containsExactly(new Outcome.Outdated(ConfigStamp.CALL));
  }

  /** What is switched off would not be made: that is the answer, however old the terms are. */
  @Test
  void startAbsent_switchedOff_isDisabledAtNoCost() {
    BucketDemand prefetch = BucketDemand.prefetch(tokens(LIMITS, 1), tokens(LIMITS, 0));

    assertThat(Script.of(fromMemory(OFF, acquire(1), prefetch).startAbsent(T)).result().outcomes())
        .containsExactly(Outcome.DISABLED, Outcome.SKIPPED);
  }

  /** What a call has cost is written all the same. */
  @Test
  void startAbsent_besideACharge_onlyThatIsWritten() {
    Script<CommitResult> script = Script.of(fromMemory(OFF, acquire(1), charge(2)).startAbsent(T));

    assertThat(script.plan(WritePlan.Adjust.class).changes()).hasSize(1);
  }

  private static Script<TransactionProtocol.Result> joint(
      Set<Integer> absent, List<Part> parts, @Nullable BucketSnapshot... known) {
    TransactionProtocol commit =
        new TransactionProtocol(parts, PlanSettings.DEFAULT, CommitCase.ops());
    return Script.of(commit.start(Arrays.asList(known), absent, T));
  }

  private static Part fromMemory(ConfigStamp stamp) {
    Part sure = part(TEAM, stamp, 2);
    return new Part(TEAM, sure.terms(), sure.amounts(), /* mayCreate= */ false);
  }

  @Test
  void start_jointAndKnownToBeAbsent_isMadeWithoutARead() {
    List<Part> parts = List.of(part(KEY, 1), part(TEAM, 2));

    Script<TransactionProtocol.Result> script =
        joint(Set.of(1), parts, seen(bucket(KEY, 10)), null);

    assertThat(((StoreCall.Transaction) script.call()).plans())
        .hasExactlyElementsOfTypes(WritePlan.Locked.class, WritePlan.Create.class);
  }

  @Test
  void start_jointAndAbsentFromMemory_isOutdated() {
    List<Part> parts = List.of(part(KEY, 1), fromMemory(FIVE));

    assertThat(joint(Set.of(1), parts, seen(bucket(KEY, 10)), null).result().outcome())
        .isEqualTo(new TransactionProtocol.Outcome.Outdated(List.of(1)));
  }

  @Test
  void start_jointAndAbsentAndOff_isDisabled() {
    List<Part> parts = List.of(part(KEY, 1), fromMemory(off(RESOURCE, 5)));

    assertThat(joint(Set.of(1), parts, seen(bucket(KEY, 10)), null).result().outcome())
        .isEqualTo(new TransactionProtocol.Outcome.Disabled(1));
  }
}
