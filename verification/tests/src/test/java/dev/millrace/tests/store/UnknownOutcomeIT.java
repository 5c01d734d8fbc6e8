package dev.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import dev.millrace.tests.support.FaultProxy;
import dev.millrace.tests.support.FaultProxy.Fault;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Answers that are lost, late or never come, between the real clients and DynamoDB. */
class UnknownOutcomeIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** More than any time limit of a stalled call here; a hang takes half a minute. */
  private static final Duration SOON = Duration.ofSeconds(8);

  private static DynamoDbClient direct;
  private static String table;

  private static FaultProxy proxy;
  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;

  private final String entity = "e-" + UUID.randomUUID();

  @BeforeAll
  static void open() throws Exception {
    direct = Dynamo.client();
    table = Dynamo.newTable(direct);
    proxy = new FaultProxy(Dynamo.endpoint());
    client = Dynamo.client(proxy.endpoint());
    asyncClient = Dynamo.asyncClient(proxy.endpoint());
  }

  @AfterAll
  static void close() {
    proxy.close();
    direct.close();
    client.close();
    asyncClient.close();
  }

  @AfterEach
  void heal() {
    proxy.heal();
  }

  private Caller caller(Style style) {
    return caller(style, TIMEOUT, OnUnavailable.BLOCK);
  }

  private Caller caller(Style style, Duration timeout, OnUnavailable policy) {
    return style.caller(
        DynamoStore.of(client, asyncClient, table),
        LimiterOptions.builder().timeout(timeout).onUnavailable(policy).build());
  }

  /** A limiter whose first call has been made, so that the next one is a write. */
  private Caller warm(Style style) {
    Caller caller = caller(style);
    caller.acquire(request(1));
    return caller;
  }

  private AcquireRequest request(long amount) {
    return AcquireRequest.of(entity, "gpt-4")
        .limits(Limit.perDay("rpd", 1_000))
        .consume("rpd", amount);
  }

  /** What both shards have counted, if there are two. */
  private long consumed() {
    BucketKey key = BucketKey.first("default", entity, "gpt-4");
    return (consumedMilli(key) + consumedMilli(key.withShard(1))) / Limit.MILLI;
  }

  private long consumedMilli(BucketKey key) {
    StoreReply reply = DynamoStore.of(direct, table).execute(new StoreCall.Read(key), 10_000);
    BucketState state = ((StoreReply.Found) reply).state();
    return state == null ? 0 : Objects.requireNonNull(state.find("rpd")).consumedMilli();
  }

  /** The next write meets {@code fault}, and another process writes before the bucket is read. */
  private void nextWriteOvertaken(Fault fault) {
    AtomicBoolean written = new AtomicBoolean();
    AtomicBoolean overtaken = new AtomicBoolean();
    proxy.faults(
        operation -> {
          if (FaultProxy.isWrite(operation)) {
            return written.compareAndSet(false, true) ? fault : Fault.NONE;
          }
          if (written.get() && overtaken.compareAndSet(false, true)) {
            try (RateLimiter other =
                RateLimiter.create(DynamoStore.of(direct, table), LimiterOptions.defaults())) {
              other.acquire(request(1));
            }
          }
          return Fault.NONE;
        });
  }

  private static void assertUnavailable(
      LimiterUnavailableException thrown, StoreFailure.Kind kind, boolean mayBeCharged) {
    assertThat(thrown.attributes())
        .containsEntry("failure", kind)
        .containsEntry("mayBeCharged", mayBeCharged);
  }

  private static LimiterUnavailableException unavailable(Runnable call) {
    return catchThrowableOfType(LimiterUnavailableException.class, call::run);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyDropped_isAdmittedOnceWithOneWrite(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      proxy.nextWrite(Fault.DROP_REPLY);

      Lease lease = caller.acquire(request(5));

      assertThat(lease.isDegraded()).isFalse();
      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(6);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyToCreationDropped_isAdmittedOnceWithOneWrite(Style style) {
    try (Caller caller = caller(style)) {
      int writes = proxy.writes();
      proxy.nextWrite(Fault.DROP_REPLY);

      caller.acquire(request(5));

      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(5);
      assertThat(caller.metrics().created()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_internalErrorAfterTheWrite_isAdmittedOnceWithOneWrite(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      proxy.nextWrite(Fault.INTERNAL_ERROR);

      caller.acquire(request(5));

      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(6);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyDroppedAndOvertaken_isUnavailableAndChargedOnce(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      nextWriteOvertaken(Fault.DROP_REPLY);

      LimiterUnavailableException thrown = unavailable(() -> caller.acquire(request(5)));

      assertUnavailable(thrown, StoreFailure.Kind.BROKEN, true);
      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).as("the charge stays").isEqualTo(1 + 5 + 1);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
      assertThat(caller.metrics().admitted()).isEqualTo(1);
      assertThat(caller.metrics().blocked()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyDroppedAndOvertakenUnderAllow_isDegradedAndChargedOnce(Style style) {
    try (Caller caller = caller(style, TIMEOUT, OnUnavailable.ALLOW)) {
      caller.acquire(request(1));
      nextWriteOvertaken(Fault.DROP_REPLY);

      Lease lease = caller.acquire(request(5));
      assertThat(lease.isDegraded()).isTrue();
      lease.cancel();

      assertThat(consumed()).as("what may be charged is not given back").isEqualTo(1 + 5 + 1);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
      assertThat(caller.metrics().degraded()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_requestDropped_isSentAgainAndChargedOnce(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      proxy.nextWrite(Fault.DROP_REQUEST);

      caller.acquire(request(5));

      assertThat(proxy.writes() - writes).as("the lock shows that it was not made").isEqualTo(2);
      assertThat(consumed()).isEqualTo(6);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_everyWriteDropped_isUnavailableAndNotCharged(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      proxy.faults(op -> FaultProxy.isWrite(op) ? Fault.DROP_REQUEST : Fault.NONE);

      LimiterUnavailableException thrown = unavailable(() -> caller.acquire(request(5)));

      assertUnavailable(thrown, StoreFailure.Kind.BROKEN, true);
      assertThat(proxy.writes() - writes).as("sent again twice").isEqualTo(3);
      assertThat(consumed()).isEqualTo(1);
      proxy.heal();
      caller.acquire(request(5));
      assertThat(consumed()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_throttledOnce_isSentAgainAndChargedOnce(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      proxy.nextWrite(Fault.THROTTLE);

      caller.acquire(request(5));

      assertThat(proxy.writes() - writes).isEqualTo(2);
      assertThat(consumed()).isEqualTo(6);
      assertThat(caller.metrics().unknownOutcomes()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_throttledBeyondTheRetries_isUnavailableAndNotCharged(Style style) {
    try (Caller caller = warm(style)) {
      int writes = proxy.writes();
      proxy.faults(operation -> Fault.THROTTLE);

      LimiterUnavailableException thrown = unavailable(() -> caller.acquire(request(5)));

      assertUnavailable(thrown, StoreFailure.Kind.THROTTLED, false);
      assertThat(proxy.writes() - writes).as("to charge it; it is not divided").isEqualTo(3);
      assertThat(consumed()).isEqualTo(1);
      proxy.heal();
      caller.acquire(request(5));
      assertThat(consumed()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_writeStalls_isAnsweredWithinTheTimeLimit(Style style) {
    try (Caller caller = caller(style, Duration.ofSeconds(3), OnUnavailable.BLOCK)) {
      caller.acquire(request(1));
      proxy.faults(op -> FaultProxy.isWrite(op) ? Fault.STALL : Fault.NONE);
      long startedAt = System.nanoTime();

      LimiterUnavailableException thrown = unavailable(() -> caller.acquire(request(5)));

      assertThat(System.nanoTime() - startedAt).isLessThan(SOON.toNanos());
      assertUnavailable(thrown, StoreFailure.Kind.TIMED_OUT, true);
      assertThat(consumed()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_everythingStalls_isAnsweredWithinTheTimeLimit(Style style) {
    try (Caller caller = caller(style, Duration.ofMillis(600), OnUnavailable.ALLOW)) {
      proxy.faults(operation -> Fault.STALL);
      long startedAt = System.nanoTime();

      Lease lease = caller.acquire(request(5));

      assertThat(System.nanoTime() - startedAt).isLessThan(SOON.toNanos());
      assertThat(lease.isDegraded()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyStallsAfterTheWrite_isAdmittedOnce(Style style) {
    try (Caller caller = caller(style, Duration.ofSeconds(4), OnUnavailable.BLOCK)) {
      caller.acquire(request(1));
      int writes = proxy.writes();
      proxy.nextWrite(Fault.STALL_REPLY);
      long startedAt = System.nanoTime();

      caller.acquire(request(5));

      assertThat(System.nanoTime() - startedAt).isLessThan(SOON.toNanos());
      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(6);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_replyDropped_chargesOnce(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      lease.adjust("rpd", 7);
      int writes = proxy.writes();
      proxy.nextWrite(Fault.DROP_REPLY);

      lease.close();

      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(17);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_requestDropped_isNotLost(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      lease.adjust("rpd", 7);
      proxy.nextWrite(Fault.DROP_REQUEST);

      lease.close();

      assertThat(consumed()).isEqualTo(17);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_replyDroppedAndOvertaken_chargesAtMostOnceTooMany(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      lease.adjust("rpd", 7);
      int writes = proxy.writes();
      nextWriteOvertaken(Fault.DROP_REPLY);

      lease.close();

      assertThat(proxy.writes() - writes).as("the second is a transaction").isEqualTo(1);
      assertThat(consumed() - 1).isBetween(17L, 24L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_everyReplyDropped_losesNoChargeAndEnds(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      lease.adjust("rpd", 7);
      int writes = proxy.writes();
      proxy.faults(operation -> FaultProxy.isWrite(operation) ? Fault.DROP_REPLY : Fault.NONE);

      lease.close();

      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(17);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_replyDropped_givesBackOnce(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      int writes = proxy.writes();
      proxy.nextWrite(Fault.DROP_REPLY);

      lease.cancel();

      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_replyDroppedAndOvertaken_neverGivesBackTwice(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      int writes = proxy.writes();
      nextWriteOvertaken(Fault.DROP_REPLY);

      LimiterUnavailableException thrown = unavailable(lease::cancel);

      assertUnavailable(thrown, StoreFailure.Kind.BROKEN, true);
      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).isEqualTo(1);
      lease.cancel();
      assertThat(consumed()).as("it has ended").isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_requestDropped_isNotSentAgain(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      int writes = proxy.writes();
      proxy.nextWrite(Fault.DROP_REQUEST);

      LimiterUnavailableException thrown = unavailable(lease::cancel);

      assertUnavailable(thrown, StoreFailure.Kind.BROKEN, true);
      assertThat(proxy.writes() - writes).isEqualTo(1);
      assertThat(consumed()).as("the safe side").isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void consume_replyDroppedAndOvertaken_keepsTheLeaseAsItWas(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(10));
      nextWriteOvertaken(Fault.DROP_REPLY);

      LimiterUnavailableException thrown = unavailable(() -> lease.consume("rpd", 5));

      assertUnavailable(thrown, StoreFailure.Kind.BROKEN, true);
      assertThat(lease.consumed("rpd")).isEqualTo(10);
      proxy.heal();
      lease.cancel();
      assertThat(consumed()).as("what may be charged stays").isEqualTo(1 + 5);
    }
  }
}
