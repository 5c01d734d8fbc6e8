package dev.millrace.aggregator.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.testkit.InMemoryUsageStore;
import dev.millrace.testkit.internal.generator.Gen;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** However badly the stream is delivered, usage is what the buckets have counted. */
class ExactlyOnceTest {
  private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

  @Test
  void usage_hundredThousandWrites_isWhatBucketsCounted() {
    Traffic traffic = new Traffic(7);
    traffic.run(100_000);
    InMemoryUsageStore usage = new InMemoryUsageStore();
    Delivery delivery = new Delivery(new SplittableRandom(8), traffic.store.log, usage, ZONE);
    delivery.run();

    assertThat(traffic.store.splits).isGreaterThan(5);
    assertThat(traffic.store.merges).isGreaterThan(5);
    assertThat(traffic.refunds).isGreaterThan(5_000);
    assertThat(delivery.crashes).isGreaterThan(20);
    assertThat(delivery.zombies).isGreaterThan(20);
    assertThat(delivery.takeovers).isGreaterThan(100);
    assertThat(delivery.failures).isPositive();
    assertThat(delivery.duplicates).isGreaterThan(10_000);
    assertSumsAreConsumed(usage, traffic.store.consumed());
    assertThat(byKey(usage)).isEqualTo(byKey(undisturbed(traffic.store.log)));
  }

  @Test
  void usage_anySeed_isWhatBucketsCounted() {
    Gen.forEachSeed(
        20,
        (random, seed) -> {
          Traffic traffic = new Traffic(seed);
          traffic.run(1_000);
          InMemoryUsageStore usage = new InMemoryUsageStore();
          new Delivery(random, traffic.store.log, usage, ZONE).run();
          assertSumsAreConsumed(usage, traffic.store.consumed());
          assertThat(byKey(usage)).isEqualTo(byKey(undisturbed(traffic.store.log)));
        });
  }

  /** A seed that fails can be replayed. */
  @Test
  void traffic_sameSeed_isTheSame() {
    Traffic one = new Traffic(3);
    one.run(500);
    Traffic other = new Traffic(3);
    other.run(500);
    for (int shard = 0; shard < StreamLog.SHARDS; shard++) {
      assertThat(one.store.log.shard(shard)).isEqualTo(other.store.log.shard(shard));
    }
  }

  /** The same checks find a store that does not look at what it has seen. */
  @Test
  void usage_storeForgetsTheGuard_isFound() {
    Traffic traffic = new Traffic(1);
    traffic.run(1_000);
    InMemoryUsageStore usage = new InMemoryUsageStore();
    new Delivery(new SplittableRandom(2), traffic.store.log, new Unguarded(usage), ZONE).run();
    assertThat(sums(usage, Window.HOUR)).isNotEqualTo(traffic.store.consumed());
  }

  /** They find a merge that is counted as consumption: the level is what tells. */
  @Test
  void usage_levelsNotTold_isFound() {
    Traffic traffic = new Traffic(7);
    traffic.run(5_000);
    assertThat(traffic.store.merges).isPositive();
    InMemoryUsageStore usage = new InMemoryUsageStore();
    Aggregator aggregator = Aggregator.builder(usage, letters -> {}).zone(ZONE).build();
    for (int shard = 0; shard < StreamLog.SHARDS; shard++) {
      for (StreamRecord record : traffic.store.log.shard(shard)) {
        Map<String, AttributeValue> old = new HashMap<>(record.oldImage());
        old.remove("sl");
        aggregator.process(
            List.of(
                new StreamRecord(
                    record.sequenceNumber(),
                    record.createdAtMs(),
                    record.kind(),
                    false,
                    record.keys(),
                    old,
                    record.newImage())));
      }
    }
    assertThat(sums(usage, Window.HOUR)).isNotEqualTo(traffic.store.consumed());
  }

  private static void assertSumsAreConsumed(InMemoryUsageStore usage, Map<String, Long> consumed) {
    List<Window> windows = new ArrayList<>();
    for (Window.Unit unit : Window.Unit.values()) {
      windows.add(new Window(unit, ZoneOffset.UTC));
      windows.add(new Window(unit, ZONE));
    }
    for (Window window : windows) {
      assertThat(sums(usage, window)).as("%s", window).isEqualTo(consumed);
    }
  }

  private static Map<String, Long> sums(InMemoryUsageStore usage, Window window) {
    Map<String, Long> sums = new TreeMap<>();
    for (UsageItem item : usage.all()) {
      if (item.key().window().equals(window)) {
        BucketKey key = BucketKey.first("default", item.key().entityId(), item.key().resource());
        item.totalMilli()
            .forEach((limit, milli) -> sums.merge(TappedStore.name(key, limit), milli, Long::sum));
      }
    }
    sums.values().removeIf(milli -> milli == 0);
    return sums;
  }

  private static InMemoryUsageStore undisturbed(StreamLog log) {
    InMemoryUsageStore usage = new InMemoryUsageStore();
    Aggregator aggregator =
        Aggregator.builder(
                usage,
                letters -> {
                  throw new AssertionError("poison: " + letters);
                })
            .zone(ZONE)
            .build();
    for (int shard = 0; shard < StreamLog.SHARDS; shard++) {
      assertThat(aggregator.process(log.shard(shard)).isDone()).isTrue();
    }
    return usage;
  }

  private static Map<UsageKey, UsageItem> byKey(InMemoryUsageStore usage) {
    Map<UsageKey, UsageItem> items = new HashMap<>();
    usage.all().forEach(item -> items.put(item.key(), item));
    return items;
  }

  /** Adds whatever it is told. */
  private record Unguarded(UsageStore store, AtomicLong numbers) implements UsageStore {
    Unguarded(UsageStore store) {
      this(store, new AtomicLong());
    }

    @Override
    public UsageReply apply(UsageWrite write) {
      SequenceNumber fresh = SequenceNumber.of(Long.toString(numbers.incrementAndGet()));
      return store.apply(
          new UsageWrite(
              write.key(),
              write.addMilli(),
              write.events(),
              new UsageWrite.Late(fresh),
              write.expiresAtSeconds()));
    }

    @Override
    public List<UsageItem> find(List<UsageKey> keys) {
      return store.find(keys);
    }

    @Override
    public UsagePage list(UsageListing listing, int limit, @Nullable String cursor) {
      return store.list(listing, limit, cursor);
    }
  }
}
