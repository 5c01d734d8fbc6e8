package dev.millrace.cli.services.exact;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.Sharding;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.dynamodb.client.DynamoStore;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A process of its own that acquires, settles and gives back for some time. Its buckets are divided
 * and folded back on the way: it believes that a partition bears little.
 */
final class Writer {
  static final String RESOURCE = "gpt-4";

  /** Of each writer, at least. */
  static final int MIN_REQUESTS = 50;

  private static final int ENTITIES = 12;

  private static final int WRITE_UNITS = 25;

  private Writer() {}

  /** With the endpoint, the table, a seed and how many milliseconds to go on. */
  public static void main(String[] args) {
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
    try (ServiceClients clients = ServiceClients.of(URI.create(args[0]), null, null, null);
        RateLimiter limiter =
            RateLimiter.create(DynamoStore.of(clients.dynamoClient(), args[1]), options())) {
      use(limiter, random); // a JVM's first request takes seconds on a busy machine
      long end = System.currentTimeMillis() + Long.parseLong(args[3]);
      for (int i = 0; i < MIN_REQUESTS || System.currentTimeMillis() < end; i++) {
        use(limiter, random);
      }
    }
  }

  private static void use(RateLimiter limiter, SplittableRandom random) {
    // the lower of two: some entities are much busier than others
    int entity = Math.min(random.nextInt(ENTITIES), random.nextInt(ENTITIES));
    try {
      use(limiter, "key-" + entity, 1 + random.nextInt(500), random);
    } catch (LimiterUnavailableException e) {
      // An engine with so many clients may be late. What it charged all the same is counted.
    }
  }

  static LimiterOptions options() {
    return LimiterOptions.builder()
        .partitionWriteUnits(WRITE_UNITS)
        .sharding(new Sharding(8, Duration.ofMillis(500), Duration.ofSeconds(2), 64, 1_000))
        .build();
  }

  static AcquireRequest request(String entity, long tokens) {
    return AcquireRequest.of(entity, RESOURCE)
        .limits(Limit.perMinute("rpm", 1_000_000), Limit.perMinute("tpm", 100_000_000))
        .consume("rpm", 1)
        .consume("tpm", tokens);
  }

  private static void use(RateLimiter limiter, String entity, int tokens, SplittableRandom random) {
    if (limiter.tryAcquire(request(entity, tokens)) instanceof Acquisition.Granted granted) {
      try (Lease lease = granted.lease()) {
        int choice = random.nextInt(10);
        if (choice == 0) {
          lease.cancel();
        } else if (choice < 5) {
          lease.adjust("tpm", random.nextInt(-tokens, 2 * tokens));
        }
      }
    }
  }
}
