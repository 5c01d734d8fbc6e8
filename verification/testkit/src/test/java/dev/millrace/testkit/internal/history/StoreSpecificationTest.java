package dev.millrace.testkit.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histories of a store, made by hand: a bucket of ten tokens. */
class StoreSpecificationTest {
  private static final BucketKey KEY = BucketKey.first("test", "key-42", "gpt-4");
  private static final BucketState FULL =
      BucketState.full(KEY, LimitSet.of(Limit.perDay("rpd", 10)), 1_000);
  private static final StoreSpecification STORE =
      new StoreSpecification(KEY, new StoreSpecification.Stored(FULL));

  private final List<Operation<StoreCall, StoreReply>> operations = new ArrayList<>();
  private long at;

  @BeforeEach
  void startAtZero() {
    at = 0;
  }

  /** Asked and answered after everything before it. */
  private void then(StoreCall asked, @Nullable StoreReply answered) {
    operations.add(new Operation<>(new CallerId("p", 1), at, at + 5, asked, answered));
    at += 10;
  }

  private LinearisabilityVerdict verdict() {
    return Linearisability.check(new History<>(operations), STORE);
  }

  private static WritePlan take(long tokens, String op) {
    long milli = tokens * Limit.MILLI;
    LimitChange change = new LimitChange("rpd", -milli, milli, milli, LimitChange.NO_CEILING);
    return new WritePlan.Consume(KEY, 0, List.of(change), BucketState.NEVER, op);
  }

  private static StoreCall write(WritePlan plan) {
    return new StoreCall.Write(plan);
  }

  private static BucketState after(BucketState state, WritePlan plan) {
    return Objects.requireNonNull(PlanEffect.apply(state, plan));
  }

  private static StoreReply applied(BucketState state) {
    return new StoreReply.Applied(state, Receipt.NONE);
  }

  private static StoreReply refused(BucketState state) {
    return new StoreReply.Refused(state, Receipt.NONE);
  }

  private static StoreReply found(@Nullable BucketState state) {
    return new StoreReply.Found(state, Receipt.NONE);
  }

  @Test
  void check_appliedRefusedAndRead_isLinearisable() {
    BucketState three = after(FULL, take(7, "a"));
    then(write(take(7, "a")), applied(three));
    then(write(take(7, "b")), refused(three));
    then(new StoreCall.Read(KEY), found(three));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_createdTwice_isBroken() {
    WritePlan create = new WritePlan.Create(FULL);
    then(write(create), refused(FULL));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
    then(write(create), applied(FULL));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_readOfAnOlderState_isBroken() {
    then(write(take(7, "a")), applied(after(FULL, take(7, "a"))));
    then(new StoreCall.Read(KEY), found(FULL));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_readThatFindsNothing_isBroken() {
    then(new StoreCall.Read(KEY), found(null));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_lostUpdate_isBroken() {
    then(write(take(2, "a")), applied(after(FULL, take(2, "a"))));
    then(write(take(3, "b")), applied(after(FULL, take(3, "b"))));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_appliedThoughTooMuch_isBroken() {
    LimitChange change = LimitChange.unconditional("rpd", -11_000, 11_000);
    WritePlan careless = new WritePlan.Adjust(KEY, List.of(change), BucketState.NEVER, "a");
    then(write(take(11, "a")), applied(after(FULL, careless)));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_refusedThoughItFits_isBroken() {
    then(write(take(7, "a")), refused(FULL));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_lostAnswerOfWriteThatWasMadeLater_isLinearisable() {
    then(write(take(7, "lost")), null);
    then(new StoreCall.Read(KEY), found(FULL));
    then(new StoreCall.Read(KEY), found(after(FULL, take(7, "lost"))));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_lostAnswerOfWriteThatWasMadeTwice_isBroken() {
    BucketState once = after(FULL, take(2, "lost"));
    then(write(take(2, "lost")), null);
    then(new StoreCall.Read(KEY), found(after(once, take(2, "lost"))));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_surelyNotMade_hasNoEffect() {
    StoreReply throttled =
        new StoreReply.NotApplied(
            new StoreFailure(StoreFailure.Kind.THROTTLED, null), Receipt.NONE);
    then(write(take(2, "a")), throttled);
    then(new StoreCall.Read(KEY), found(FULL));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
    then(new StoreCall.Read(KEY), found(after(FULL, take(2, "a"))));
    assertThat(verdict()).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }
}
