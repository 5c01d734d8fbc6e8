package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.spi.config.ConfigLevel.CALL;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A settlement must neither forget a bucket that is to stay nor make one stay that is not. */
class SettleExpiryTest {
  private static final long AN_HOUR_ON = T / 1_000 + 3_600;
  private static final BucketState TEN = bucket(T, holds(RPM, 10));

  @Test
  void adjust_neverSeen_followsTheTerms() {
    assertThat(expiry(on(ENTITY_RESOURCE, 5), null)).isEqualTo(BucketState.NEVER);
    assertThat(expiry(on(RESOURCE, 5), null)).isEqualTo(AN_HOUR_ON);
  }

  @Test
  void adjust_seenAtAnOlderVersion_followsTheTerms() {
    assertThat(expiry(on(ENTITY_RESOURCE, 5), at(on(RESOURCE, 4), TEN)))
        .isEqualTo(BucketState.NEVER);
    assertThat(expiry(on(RESOURCE, 5), at(on(ENTITY_RESOURCE, 4), TEN))).isEqualTo(AN_HOUR_ON);
  }

  @Test
  void adjust_seenAtTheSameOrALaterVersion_followsTheBucket() {
    for (long version = 5; version <= 6; version++) {
      assertThat(expiry(on(ENTITY_RESOURCE, 5), at(on(CALL, version), TEN))).isEqualTo(AN_HOUR_ON);
      assertThat(expiry(on(CALL, 5), at(on(ENTITY_RESOURCE, version), TEN)))
          .isEqualTo(BucketState.NEVER);
    }
  }

  @Test
  void adjust_seenRefusing_followsWhatWasSeenThen() {
    BucketState without = at(on(ENTITY_RESOURCE, 6), bucket(T, holds(RPM.withBurst(90), 10)));
    Script<SettleProtocol.Result> script = settle(on(RESOURCE, 5), null);

    script.answer(new StoreReply.Refused(without, Receipt.NONE), T);

    assertThat(script.plan(WritePlan.Adjust.class).expiresAtSeconds()).isEqualTo(BucketState.NEVER);
  }

  /** Nobody knows whether it is still wanted: it was deleted, or it would be there. */
  @Test
  void create_always_expires() {
    BucketState created =
        settle(on(ENTITY_RESOURCE, 5), null)
            .write(WritePlan.Adjust.class, null, T)
            .plan(WritePlan.Create.class)
            .state();

    assertThat(created.expiresAtSeconds()).isEqualTo(AN_HOUR_ON);
    assertThat(created.stamp())
        .as("what the lease knew may be old")
        .isEqualTo(on(ENTITY_RESOURCE, 5).ofNoRecords());
    assertThat(expiry(on(ENTITY_RESOURCE, 5), created))
        .as("the next settlement leaves it so")
        .isEqualTo(AN_HOUR_ON);
    assertThat(
            CommitCase.commit(
                    new EffectiveLimits(LIMITS, on(ENTITY_RESOURCE, 5)),
                    BucketSnapshot.of(created, T),
                    T,
                    CommitCase.acquire(1))
                .plan(WritePlan.Locked.class)
                .expiresAtSeconds())
        .as("the next acquire makes it stay")
        .isEqualTo(BucketState.NEVER);
  }

  private static long expiry(ConfigStamp known, @Nullable BucketState seen) {
    return settle(known, seen).plan(WritePlan.Adjust.class).expiresAtSeconds();
  }

  private static Script<SettleProtocol.Result> settle(
      ConfigStamp known, @Nullable BucketState seen) {
    SettleProtocol settle =
        new SettleProtocol(
            KEY, new EffectiveLimits(LIMITS, known), PlanSettings.DEFAULT, CommitCase.ops());
    BucketSnapshot snapshot = seen == null ? null : BucketSnapshot.of(seen, T);
    return Script.of(settle.start(tokens(LIMITS, 3), snapshot, T));
  }
}
