package dev.millrace.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.tests.support.Dynamo;
import dev.millrace.tests.support.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Faults of the original that only a real table shows. */
class OnDynamoIT {
  private static DynamoDbClient client;
  private static String table;

  private final String entity = "e-" + UUID.randomUUID();
  private final BucketKey key = BucketKey.first("default", entity, "gpt-4");
  private final LimiterOptions options =
      LimiterOptions.builder().timeout(Duration.ofSeconds(30)).build();

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
  }

  @AfterAll
  static void closeClient() {
    client.close();
  }

  private RateLimiter limiter() {
    return RateLimiter.create(DynamoStore.of(client, table), options);
  }

  private AcquireRequest rpd(long amount) {
    return AcquireRequest.of(entity, "gpt-4")
        .limits(Limit.perDay("rpd", 1_000))
        .consume("rpd", amount);
  }

  private BucketState state() {
    StoreReply reply = DynamoStore.of(client, table).execute(new StoreCall.Read(key), 10_000);
    return Objects.requireNonNull(((StoreReply.Found) reply).state());
  }

  private long consumed() {
    return Objects.requireNonNull(state().find("rpd")).consumedMilli() / Limit.MILLI;
  }

  /** Fault 17: with '-' or '.' in a limit's name every acquire was "unavailable". */
  @Test
  void hyphenatedLimitName_neverUnavailable() {
    List<Limit> limits = new ArrayList<>();
    for (String name :
        new String[] {
          "a-b", "a.b", "a_b", "a-b.c_d", "ttl", "resource", "window", "entity_id", "rf", "op", "PK"
        }) {
      limits.add(Limit.perDay(name, 100)); // a token is a quarter of an hour
    }
    LimitSet set = LimitSet.of(limits);
    AcquireRequest request = AcquireRequest.of(entity, "gpt-4.1/mini_x-2").limits(set);
    for (Limit limit : set) {
      request = request.consume(limit.name(), 3);
    }
    try (RateLimiter limiter = limiter()) {
      for (int i = 0; i < 3; i++) {
        Lease lease = limiter.acquire(request);
        for (Limit limit : set) {
          lease.adjust(limit.name(), 1);
        }
        lease.close();
      }
      for (Limit limit : set) {
        assertThat(
                limiter
                    .available(entity, "gpt-4.1/mini_x-2", set.asList().toArray(Limit[]::new))
                    .tokens(limit.name()))
            .isEqualTo(88);
      }
    }
  }

  /** Fault 29: ALLOW admitted everything when the table did not exist. */
  @Test
  void missingTable_neverAllowed() {
    try (RateLimiter limiter =
        RateLimiter.create(
            DynamoStore.of(client, "no-such-table"),
            LimiterOptions.builder().onUnavailable(OnUnavailable.ALLOW).build())) {
      assertThatThrownBy(() -> limiter.acquire(rpd(1)))
          .isInstanceOf(LimiterConfigurationException.class);
      assertThat(limiter.metrics().degraded()).isZero();
    }
  }

  /** Fault 30: an interrupt in the body kept the charge; the SDK refuses interrupted threads. */
  @Test
  void interruptedBody_neverKeepsTheCharge() {
    try (RateLimiter limiter = limiter()) {
      Background<Boolean> caller =
          Background.begin(
              () -> {
                try {
                  return limiter.call(
                      rpd(5),
                      lease -> {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("gave up");
                      });
                } catch (IllegalStateException e) {
                  assertThat(e.getSuppressed()).isEmpty();
                  return Thread.currentThread().isInterrupted();
                }
              });

      assertThat(Await.result(caller.result())).as("the interrupt is kept").isTrue();
      assertThat(consumed()).isZero();
    }
  }

  /** Fault 30: nor is what a call cost forgotten because its thread was interrupted. */
  @Test
  void interruptedSettlement_neverLosesTheCharge() {
    try (RateLimiter limiter = limiter()) {
      Background<Boolean> caller =
          Background.begin(
              () -> {
                Lease lease = limiter.acquire(rpd(5));
                lease.adjust("rpd", 4);
                Thread.currentThread().interrupt();
                lease.close();
                return Thread.currentThread().isInterrupted();
              });

      assertThat(Await.result(caller.result())).as("the interrupt is kept").isTrue();
      assertThat(consumed()).isEqualTo(9);
    }
  }

  /** One caller's interrupt must not fail those who share its write. */
  @Test
  void interruptedLeader_neverFailsItsFollowers() throws Exception {
    try (FaultProxy proxy = new FaultProxy(Dynamo.endpoint());
        DynamoDbClient proxied = Dynamo.client(proxy.endpoint());
        RateLimiter limiter = RateLimiter.create(DynamoStore.of(proxied, table), options)) {
      limiter.acquire(rpd(1));
      ProxyGate first = new ProxyGate();
      ProxyGate second = new ProxyGate();
      AtomicInteger writes = new AtomicInteger();
      proxy.faults(
          operation -> {
            if (FaultProxy.isWrite(operation)) {
              int number = writes.getAndIncrement();
              (number == 0 ? first : number == 1 ? second : ProxyGate.OPEN).pass();
            }
            return FaultProxy.Fault.NONE;
          });
      Background<Lease> busy = Background.start(() -> limiter.acquire(rpd(1)));
      first.awaitArrival();
      Background<Lease> follower = Background.begin(() -> limiter.acquire(rpd(100)));
      // Of those who wait, the one who came last leads: it has the most time left.
      Background<Lease> leader = Background.begin(() -> limiter.acquire(rpd(10)));
      first.open();
      second.awaitArrival();

      leader.thread().interrupt();
      second.open();

      Await.result(busy.result());
      assertThat(Await.result(follower.result()).consumed("rpd")).isEqualTo(100);
      Await.result(leader.result());
      assertThat(consumed()).isEqualTo(112);
    }
  }

  /** Holds a request at the proxy. */
  private static final class ProxyGate {
    static final ProxyGate OPEN = new ProxyGate();

    static {
      OPEN.open();
    }

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    void pass() {
      arrived.countDown();
      try {
        opened.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void awaitArrival() throws InterruptedException {
      arrived.await();
    }

    void open() {
      opened.countDown();
    }
  }

  /** Fault 35: every change of a token was written to an index too. */
  @Test
  void warmAcquire_neverWritesAnIndex() {
    try (RateLimiter limiter = limiter();
        RateLimiter other = limiter()) {
      limiter.acquire(rpd(1));
      double atCreation = limiter.metrics().indexWriteUnits();
      for (int i = 0; i < 10; i++) {
        Lease lease = limiter.acquire(rpd(1));
        lease.adjust("rpd", 1);
        lease.close();
        other.acquire(rpd(1));
      }
      assertThat(atCreation).isEqualTo(2);
      assertThat(limiter.metrics().indexWriteUnits()).isEqualTo(atCreation);
      assertThat(other.metrics().indexWriteUnits()).isZero();
    }
  }

  /** Fault 35: refusals were billed, because each was a write that failed. */
  @Test
  void refusal_neverWrites() {
    try (RateLimiter limiter = limiter()) {
      limiter.acquire(rpd(1_000));
      long writes = limiter.metrics().storeWrites();
      for (int i = 0; i < 100; i++) {
        assertThat(limiter.tryAcquire(rpd(1))).isInstanceOf(Acquisition.Refused.class);
      }
      assertThat(limiter.metrics().storeWrites()).isEqualTo(writes);
    }
  }

  /** Fault 36: a first acquire took four or five calls, one after the other. */
  @Test
  void firstAcquire_neverMoreThanALookAReadAndAWrite() {
    try (RateLimiter limiter = limiter();
        RateLimiter other = limiter()) {
      for (RateLimiter process : List.of(limiter, other)) {
        process.acquire(rpd(1));
        LimiterMetrics metrics = process.metrics();
        assertThat(metrics.lookUps()).as("beside the read").isEqualTo(1);
        assertThat(metrics.storeReads() - metrics.lookUps()).isEqualTo(1);
        assertThat(metrics.storeWrites()).isEqualTo(1);
      }
    }
  }

  /** Several processes fall on a bucket that was idle for ten minutes: one burst, not two. */
  @Test
  void idleBucket_neverAdmitsTwoBursts() {
    Limit rpm = Limit.perMinute("rpm", 60);
    AcquireRequest request = AcquireRequest.of(entity, "gpt-4").limits(rpm).consume("rpm", 1);
    ManualClock clock = new ManualClock(System.currentTimeMillis());
    List<RateLimiter> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(
          RateLimiter.create(
              DynamoStore.of(client, table),
              LimiterOptions.builder()
                  .time(clock)
                  .correctClock(false)
                  .timeout(Duration.ofSeconds(30))
                  .build()));
    }
    int before = atOnce(processes, request);
    assertThat(before).isEqualTo(60);

    clock.advance(Duration.ofMinutes(10));
    int after = atOnce(processes, request);

    assertThat(after).isEqualTo(60);
    processes.forEach(RateLimiter::close);
  }

  /** How many are admitted when every process asks 40 times from two threads. */
  private static int atOnce(List<RateLimiter> processes, AcquireRequest request) {
    List<Background<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 2 * processes.size(); i++) {
      RateLimiter process = processes.get(i % processes.size());
      callers.add(
          Background.begin(
              () -> {
                int admitted = 0;
                for (int j = 0; j < 20; j++) {
                  admitted += process.tryAcquire(request) instanceof Acquisition.Granted ? 1 : 0;
                }
                return admitted;
              }));
    }
    return callers.stream().mapToInt(caller -> Await.result(caller.result())).sum();
  }
}
