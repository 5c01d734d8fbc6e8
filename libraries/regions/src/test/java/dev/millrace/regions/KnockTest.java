package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A refusal writes nothing; yet a region that is asked in vain must be heard by the others. */
class KnockTest {
  /** More than the floor of 6,000, which is 60, and less than a half. */
  private static final int LARGE = 500;

  private static final int TOO_LARGE = 6_001;

  /** Asks without a thread of its own, so that what a refusal writes has been written. */
  private static boolean asks(World world, String region, int amount) {
    try (RateLimiter limiter =
        RateLimiter.createAsync(
            world.region(region).store, LimiterOptions.builder().time(world.clock).build())) {
      return limiter
              .tryAcquireAsync(
                  AcquireRequest.of(World.ENTITY, World.RESOURCE).consume("rpm", amount))
              .toCompletableFuture()
              .join()
          instanceof Acquisition.Granted;
    }
  }

  private static List<String> writes(World world, String region) {
    return world.region(region).shards().stream().map(BucketState::op).toList();
  }

  @Test
  void refused_requestIsLargerThanThePart_isHeardAndGrantedLater() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 8);
      assertThat(world.region("us").ceilingMilli()).isLessThan(LARGE * 1_000L);
      int windows = 0;
      while (!asks(world, "us", LARGE) && windows < 8) {
        world.heat("eu", 1);
        windows++;
      }
      assertThat(windows).as("until it was granted").isLessThan(8);
    }
  }

  @Test
  void refused_nobodyAsksAnyMore_sharesComeToRest() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 8);
      assertThat(asks(world, "us", LARGE)).isFalse();
      for (int i = 0; i < 6; i++) {
        world.window();
      }
      int told = world.region("eu").events.told.size() + world.region("us").events.told.size();
      for (int i = 0; i < 20; i++) {
        world.window();
      }
      assertThat(world.region("eu").events.told.size() + world.region("us").events.told.size())
          .as("changes of shares")
          .isLessThanOrEqualTo(told + 4);
    }
  }

  @Test
  void refused_requestIsLargerThanTheWhole_writesNothing() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 2);
      List<String> before = writes(world, "us");
      assertThat(asks(world, "us", TOO_LARGE)).isFalse();
      assertThat(writes(world, "us")).isEqualTo(before);
      assertThat(asks(world, "us", 5_999)).isFalse();
      assertThat(writes(world, "us")).isNotEqualTo(before);
    }
  }

  /** Nothing was ever admitted here, so there is no bucket that could be written. */
  @Test
  void refused_bucketIsNotThereYet_isHeardToo() {
    try (World world = new World("eu", "us")) {
      assertThat(writes(world, "us")).isEmpty();

      assertThat(asks(world, "us", 5_999)).isFalse();

      assertThat(writes(world, "us")).as("asked in vain").hasSize(1);
      assertThat(world.region("us").balanceMilli()).as("nothing was taken").isPositive();
    }
  }

  @Test
  void refused_againAndAgain_writesEveryFiveSeconds() {
    try (World world = new World("eu", "us");
        RateLimiter limiter =
            RateLimiter.createAsync(
                world.region("us").store, LimiterOptions.builder().time(world.clock).build())) {
      world.heat("eu", 8);
      AcquireRequest request =
          AcquireRequest.of(World.ENTITY, World.RESOURCE).consume("rpm", LARGE);
      int changes = 0;
      List<String> last = writes(world, "us");
      for (int second = 0; second < 20; second++) {
        for (int i = 0; i < 10; i++) {
          assertThat(limiter.tryAcquireAsync(request).toCompletableFuture().join())
              .isInstanceOf(Acquisition.Refused.class);
        }
        List<String> now = writes(world, "us");
        changes += now.equals(last) ? 0 : 1;
        last = now;
        world.clock.advance(Duration.ofSeconds(1));
      }
      assertThat(changes).isEqualTo(4);
      assertThat(world.region("us").balanceMilli()).as("nothing was taken").isPositive();
    }
  }

  /** A thread that was refused does not wait for it: a helper writes. */
  @Test
  void refused_threadThatBlocks_isHeardToo() throws InterruptedException {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 8);
      Gate gate = new Gate();
      world.region("us").store.once(Calls.writes(), Fault.holdReply(gate));
      assertThat(
              world
                  .region("us")
                  .limiter
                  .tryAcquire(
                      AcquireRequest.of(World.ENTITY, World.RESOURCE).consume("rpm", LARGE)))
          .isInstanceOf(Acquisition.Refused.class);
      gate.awaitArrivals(1);
      gate.open();
      assertThat(world.region("us").store.rulesLeft()).isZero();
    }
  }
}
