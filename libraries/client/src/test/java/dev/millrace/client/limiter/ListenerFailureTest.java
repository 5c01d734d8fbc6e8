package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.InMemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Listeners that throw what no signature announces: no charge is lost and no queue stands still.
 */
class ListenerFailureTest {
  private static final BucketKey KEY = BucketKey.first("default", "key-1", "gpt-4");
  private static final AcquireRequest TEN =
      AcquireRequest.of("key-1", "gpt-4").limits(Limit.perMinute("tpm", 1_000)).consume("tpm", 10);

  private final InMemoryStore store = new InMemoryStore();

  private static final class Broken implements LimiterListener {
    @Override
    public void onEvent(LimiterEvent event) {
      if (event instanceof LimiterEvent.WriteGroup) {
        throw new NoClassDefFoundError("a metrics library is not complete");
      }
      if (event instanceof LimiterEvent.Decision) {
        ListenerFailureTest.<RuntimeException>throwUnannounced(new IOException("from Kotlin"));
      }
      if (event instanceof LimiterEvent.SettlementProgress) {
        throw new AssertionError("from a test library");
      }
      if (event instanceof LimiterEvent.RoundTrip) {
        throw new StackOverflowError();
      }
      if (event instanceof LimiterEvent.Notice notice
          && notice.kind() == LimiterEvent.Notice.Kind.LISTENER_FAILED) {
        throw new IllegalStateException("fails for notices of failures too");
      }
    }
  }

  @SuppressWarnings("unchecked") // erased: the compiler is made to believe that it is unchecked
  private static <X extends Throwable> void throwUnannounced(Throwable thrown) throws X {
    throw (X) thrown;
  }

  private long consumedMilli() {
    BucketState bucket = Objects.requireNonNull(store.snapshot(KEY));
    return Objects.requireNonNull(bucket.find("tpm")).consumedMilli();
  }

  /** A JVM that is short of memory, or has compiled a throw, gives the same object every time. */
  private static final class SameEveryTime implements LimiterListener {
    private final NullPointerException one = new NullPointerException("compiled");

    @Override
    public void onEvent(LimiterEvent event) {
      throw one;
    }
  }

  private static final class Endless implements LimiterListener {
    @Override
    public void onEvent(LimiterEvent event) {
      if (event instanceof LimiterEvent.RoundTrip) {
        onEvent(event);
      }
    }
  }

  private static final class Hears implements LimiterListener {
    private final List<Throwable> failures = new ArrayList<>();

    @Override
    public void onEvent(LimiterEvent event) {
      if (event instanceof LimiterEvent.Notice notice && notice.cause() != null) {
        failures.add(notice.cause());
      }
    }
  }

  @Test
  void listenerThrowsTheSameObjectEveryTime_goesNoFurtherAndOthersHearOfIt() {
    SameEveryTime same = new SameEveryTime();
    Hears hears = new Hears();
    LimiterOptions options = LimiterOptions.builder().listener(same).listener(hears).build();
    try (RateLimiter limiter = RateLimiter.create(store, options)) {
      limiter.acquire(TEN).close();
      limiter.acquire(TEN).close();
    }
    assertThat(consumedMilli()).isEqualTo(20_000);
    assertThat(hears.failures).hasSizeGreaterThanOrEqualTo(4).containsOnly(same.one);
  }

  @Test
  void listenerCallsItselfWithoutEnd_goesNoFurther() {
    LimiterOptions options = LimiterOptions.builder().listener(new Endless()).build();
    try (RateLimiter limiter = RateLimiter.create(store, options)) {
      limiter.acquire(TEN).close();
      limiter.acquire(TEN).close();

      assertThat(limiter.metrics().listenerFailures()).isPositive();
    }
    assertThat(consumedMilli()).isEqualTo(20_000);
  }

  @Test
  void listenerThrowsAnything_theBucketGoesOnAndNothingIsLost() {
    LimiterOptions options = LimiterOptions.builder().listener(new Broken()).build();
    try (RateLimiter limiter = RateLimiter.create(store, options)) {
      for (int i = 0; i < 3; i++) {
        Lease lease = limiter.acquire(TEN);
        lease.adjust("tpm", 5);
        lease.close();
      }

      assertThat(limiter.metrics().admitted()).isEqualTo(3);
      assertThat(limiter.metrics().listenerFailures()).isGreaterThanOrEqualTo(15);
    }
    assertThat(consumedMilli()).isEqualTo(45_000);
  }
}
