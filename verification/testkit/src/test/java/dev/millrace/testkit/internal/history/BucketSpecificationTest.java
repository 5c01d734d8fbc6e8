package dev.millrace.testkit.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.history.BucketCall.Look;
import dev.millrace.testkit.internal.history.BucketCall.Settle;
import dev.millrace.testkit.internal.history.BucketCall.Take;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Histories of limiters, made by hand: a bucket of 10 and 100 tokens, and one that refills. */
class BucketSpecificationTest {
  private static final long MS = 1_000_000;
  private static final long START_MS = 1_700_000_000_000L;
  private static final MachineTime TIME = new MachineTime(START_MS);
  private static final List<BalanceModel> STILL =
      List.of(
          new BalanceModel("rpd", 10_000, START_MS, 1, 31_000_000_000L),
          new BalanceModel("tpd", 100_000, START_MS, 1, 31_000_000_000L));

  /** Ten tokens a second, at first none. */
  private static final List<BalanceModel> REFILLING =
      List.of(new BalanceModel("rps", 0, START_MS, 10_000, 1_000));

  private static final BucketAnswer DONE = new BucketAnswer.Done();

  private final List<Operation<BucketCall, BucketAnswer>> operations = new ArrayList<>();

  private void op(String who, long fromMs, long toMs, BucketCall asked, @Nullable BucketAnswer a) {
    CallerId caller = new CallerId(who.substring(0, 1), Integer.parseInt(who.substring(1)));
    operations.add(new Operation<>(caller, fromMs * MS, toMs * MS, asked, a));
  }

  private LinearisabilityVerdict ofOne(List<BalanceModel> limits) {
    History<BucketCall, BucketAnswer> history = new History<>(operations);
    return Linearisability.check(history, BucketSpecification.ofOneProcess(limits, TIME, history));
  }

  private LinearisabilityVerdict ofMany(List<BalanceModel> limits) {
    History<BucketCall, BucketAnswer> history = new History<>(operations);
    return Linearisability.check(
        history, BucketSpecification.ofManyProcesses(limits, TIME, history));
  }

  private static Take take(long... tokens) {
    return new Take(milli(tokens));
  }

  private static Settle settle(long... tokens) {
    return new Settle(milli(tokens));
  }

  private static BucketAnswer refused(long... tokens) {
    return new BucketAnswer.Refused(milli(tokens));
  }

  private static BucketAnswer seen(long... tokens) {
    return new BucketAnswer.Seen(milli(tokens));
  }

  private static List<Long> milli(long... tokens) {
    List<Long> milli = new ArrayList<>();
    for (long amount : tokens) {
      milli.add(amount * 1_000);
    }
    return milli;
  }

  @Test
  void check_takenSettledAndGivenBack_isLinearisable() {
    op("a1", 0, 5, take(4, 50), DONE);
    op("a2", 1, 6, take(5, 60), refused(6, 50));
    op("a1", 7, 8, settle(0, 70), DONE);
    op("a1", 9, 10, new Look(), seen(6, -20));
    op("a2", 11, 12, take(1, 0), DONE);
    op("a1", 13, 14, settle(-4, -120), DONE);
    op("a1", 15, 16, new Look(), seen(9, 100));
    assertThat(ofOne(STILL)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_admittedMoreThanThereIs_isBroken() {
    op("a1", 0, 9, take(6, 1), DONE);
    op("b1", 0, 9, take(6, 1), DONE);
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_admittedByOneLimitOnly_isBroken() {
    op("a1", 0, 9, take(1, 101), DONE);
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_lostCharge_isBrokenAtTheLook() {
    op("a1", 0, 5, take(6, 1), DONE);
    op("b1", 10, 15, new Look(), seen(10, 100));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_settledTwice_isBrokenAtTheLook() {
    op("a1", 0, 5, take(6, 1), DONE);
    op("a1", 6, 7, settle(-6, -1), DONE);
    op("a1", 8, 9, take(1, 1), DONE);
    op("b1", 10, 15, new Look(), seen(15, 100));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_refusedWithinASecondOfARefundElsewhere_isAllowedBetweenProcessesOnly() {
    op("a1", 0, 5, take(10, 1), DONE);
    op("a1", 10, 15, settle(-10, 0), DONE);
    op("b1", 1_000, 1_001, take(5, 1), refused(0, 99));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
    assertThat(ofOne(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_refusedThoughTokensWereThereForMoreThanASecond_isBroken() {
    op("a1", 0, 5, take(10, 1), DONE);
    op("a1", 10, 15, settle(-10, 0), DONE);
    op("b1", 1_030, 1_031, take(5, 1), refused(0, 99));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_refusedFromAMemoryThatTookLongToArrive_isAllowed() {
    op("b1", 4, 104, new Look(), seen(0, 99));
    op("a1", 0, 5, take(10, 1), DONE);
    op("a1", 10, 15, settle(-10, 0), DONE);
    op("b1", 1_030, 1_031, take(5, 1), refused(0, 99));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_refusedBesideAnotherCallerOfTheSameProcess_isJudgedAfterIt() {
    op("a1", 0, 9, take(6, 1), new BucketAnswer.Failed());
    op("a2", 0, 9, take(6, 1), refused(4, 99));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
    operations.clear();
    op("a1", 0, 9, take(6, 1), new BucketAnswer.Failed());
    op("b2", 0, 9, take(6, 1), refused(4, 99));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_refusalThatTellsAWrongBalance_isBrokenForOneProcess() {
    op("a1", 0, 5, take(7, 1), DONE);
    op("a2", 6, 7, take(7, 1), refused(2, 99));
    assertThat(ofOne(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_chargeThatIsNotKnown_mayBeThereOrNot() {
    op("a1", 0, 5, take(6, 1), null);
    op("b1", 10, 15, new Look(), seen(10, 100));
    op("b1", 20, 25, new Look(), seen(4, 99));
    op("b1", 30, 35, take(6, 1), refused(4, 99));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
    op("b1", 40, 45, new Look(), seen(10, 100));
    assertThat(ofMany(STILL)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_admittedByWhatIsEarnedUntilTheReturn_isLinearisable() {
    op("a1", 0, 400, take(4), DONE);
    op("a1", 410, 900, take(5), DONE);
    assertThat(ofOne(REFILLING)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_admittedBeforeItIsEarned_isBroken() {
    op("a1", 0, 400, take(4), DONE);
    op("a1", 410, 899, take(5), DONE);
    assertThat(ofOne(REFILLING)).isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_refusedAfterItWasEarned_isBroken() {
    op("a1", 400, 401, take(4), new BucketAnswer.Refused(List.of(4_000L)));
    assertThat(ofOne(REFILLING)).isInstanceOf(LinearisabilityVerdict.Broken.class);
    operations.clear();
    op("a1", 399, 401, take(4), new BucketAnswer.Refused(List.of(3_990L)));
    assertThat(ofOne(REFILLING)).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }
}
