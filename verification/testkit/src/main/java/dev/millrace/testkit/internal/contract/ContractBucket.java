package dev.millrace.testkit.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One bucket of the store under test, and what the contract asserts of every write: the state in an
 * answer is the state that a fresh read finds, and a refused write leaves everything as it was.
 */
public final class ContractBucket {
  /** The refill timestamp with which the buckets begin. */
  public static final long REFILLED_AT_MS = 1_700_000_000_123L;

  private static final long EXPIRES_AT_SECONDS = 1_700_003_600L;
  private static final long EXPIRES_LATER_SECONDS = 1_700_007_200L;
  private static final String CREATE_OP = "op-create";
  private static final String WRITE_OP = "op-write";

  private final StoreUnderTest store;
  private final StorePort driver;
  private final BucketKey key;

  public ContractBucket(StoreUnderTest store, StorePort driver) {
    this(store, driver, "gpt-4.1_x/mini");
  }

  public ContractBucket(StoreUnderTest store, StorePort driver, String resource) {
    this.store = store;
    this.driver = driver;
    this.key = BucketKey.first("contract", "e-" + UUID.randomUUID(), resource);
  }

  /** A limit of 100 a minute in some state. */
  public static LimitState limit(String name, long tokensMilli, long consumedMilli) {
    return new LimitState(Limit.perMinute(name, 100), tokensMilli, consumedMilli);
  }

  /** Takes {@code milli}, which must be there. */
  public static LimitChange take(String name, long milli) {
    return new LimitChange(name, -milli, milli, milli, LimitChange.NO_CEILING);
  }

  /** Takes {@code milli} of a balance of at most {@code ceilingMilli}. */
  public static LimitChange takeBelow(String name, long milli, long ceilingMilli) {
    return new LimitChange(name, -milli, milli, LimitChange.NO_FLOOR, ceilingMilli);
  }

  /** Takes {@code milli}, whatever is there. */
  public static LimitChange charge(String name, long milli) {
    return LimitChange.unconditional(name, -milli, milli);
  }

  public BucketKey key() {
    return key;
  }

  /** The bucket as its creation leaves it. */
  public BucketState created(LimitState... limits) {
    return state(REFILLED_AT_MS, EXPIRES_AT_SECONDS, CREATE_OP, limits);
  }

  /** The bucket as one of the plans below leaves it. */
  public BucketState written(long refilledAtMs, LimitState... limits) {
    return state(refilledAtMs, EXPIRES_LATER_SECONDS, WRITE_OP, limits);
  }

  /** The same with another expiry. */
  public BucketState writtenExpiring(long expiresAtSeconds, LimitState... limits) {
    return state(REFILLED_AT_MS, expiresAtSeconds, WRITE_OP, limits);
  }

  private BucketState state(
      long refilledAtMs, long expiresAtSeconds, String op, LimitState... limits) {
    return new BucketState(key, refilledAtMs, List.of(limits), expiresAtSeconds, op);
  }

  /** Creates the bucket. */
  public void given(LimitState... limits) {
    BucketState state = created(limits);
    assertApplied(new WritePlan.Create(state), state);
  }

  public WritePlan.Locked locked(long expectedMs, long refilledAtMs, LimitChange... changes) {
    return locked(expectedMs, refilledAtMs, WritePlan.Parameters.UNCHANGED, changes);
  }

  public WritePlan.Locked locked(
      long expectedMs, long refilledAtMs, WritePlan.Parameters parameters, LimitChange... changes) {
    return new WritePlan.Locked(
        key,
        expectedMs,
        refilledAtMs,
        List.of(changes),
        parameters,
        EXPIRES_LATER_SECONDS,
        WRITE_OP);
  }

  public WritePlan.Consume consume(long minRefilledAtMs, LimitChange... changes) {
    return new WritePlan.Consume(
        key, minRefilledAtMs, List.of(changes), EXPIRES_LATER_SECONDS, WRITE_OP);
  }

  public WritePlan.Adjust adjust(LimitChange... changes) {
    return adjustExpiring(EXPIRES_LATER_SECONDS, changes);
  }

  public WritePlan.Adjust adjustExpiring(long expiresAtSeconds, LimitChange... changes) {
    return new WritePlan.Adjust(key, List.of(changes), expiresAtSeconds, WRITE_OP);
  }

  public StoreReply write(WritePlan plan) {
    return driver.execute(store, new StoreCall.Write(plan));
  }

  public @Nullable BucketState read() {
    StoreReply reply = driver.execute(store, new StoreCall.Read(key));
    assertThat(reply).isInstanceOf(StoreReply.Found.class);
    return ((StoreReply.Found) reply).state();
  }

  /** The plan is applied and leaves the bucket as {@code expected}. */
  public void assertApplied(WritePlan plan, BucketState expected) {
    StoreReply reply = write(plan);
    assertThat(reply).as("answer to %s", plan).isInstanceOf(StoreReply.Applied.class);
    assertThat(((StoreReply.Applied) reply).state()).as("answer to %s", plan).isEqualTo(expected);
    assertThat(read()).as("fresh read after %s", plan).isEqualTo(expected);
  }

  /** The plan is refused with the bucket as it is, which stays so. */
  public void assertRefused(WritePlan plan) {
    BucketState before = read();
    StoreReply reply = write(plan);
    assertThat(reply).as("answer to %s", plan).isInstanceOf(StoreReply.Refused.class);
    assertThat(((StoreReply.Refused) reply).state()).as("answer to %s", plan).isEqualTo(before);
    assertThat(read()).as("fresh read after %s", plan).isEqualTo(before);
  }
}
