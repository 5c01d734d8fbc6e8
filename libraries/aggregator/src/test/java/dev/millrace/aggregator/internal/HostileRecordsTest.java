package dev.millrace.aggregator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.Images;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.testkit.InMemoryUsageStore;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Whatever is in a record, the stream goes on, and the record counts as a whole or not at all. */
class HostileRecordsTest {
  private static final long AT_MS = 1_800_000_000_000L;

  private static final List<String> TEXTS =
      List.of(
          "",
          "#",
          "/",
          "n/BUCKET#a#b#0",
          "n/BUCKET#a#b#-1",
          "n/BUCKET#a#b#99999999999",
          "n/BUCKET##b#0",
          "n/BUCKET#a",
          "../..",
          "\u0000",
          "x".repeat(3_000),
          "😀",
          "#STATE",
          "#BUCKET#",
          "n/ENTITY#a",
          "#AUDIT#",
          "n/AUDIT#x",
          "#AUDIT#x");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "1.5",
          "1e125",
          "-1e125",
          "NaN",
          "Infinity",
          "",
          " 7",
          "0x10",
          "9".repeat(38),
          "-" + "9".repeat(38),
          "9".repeat(200),
          "9223372036854775808",
          Long.toString(Long.MIN_VALUE),
          "1E+2",
          "65536",
          "65537",
          "3");

  @Test
  void process_mutatedRecords_neverThrowsAndNeverHalf() {
    Gen.forEachSeed(
        2_000,
        (random, seed) -> {
          BucketKey key = Gen.key(random);
          StreamRecord record = record(random, key);
          StreamRecord mutated = record;
          for (int i = random.nextInt(3); i >= 0; i--) {
            mutated = mutate(random, mutated);
          }
          StreamRecord healthy = healthy(seed);
          InMemoryUsageStore usage = new InMemoryUsageStore();
          List<DeadLetter> letters = new ArrayList<>();
          Aggregator aggregator = Aggregator.builder(usage, letters::addAll).build();

          BatchResult result = aggregator.process(List.of(mutated, healthy));

          assertThat(result.isDone()).isTrue();
          assertThat(result.poison()).isEqualTo(letters.size());
          assertThat(letters).allSatisfy(letter -> assertThat(letter.error()).isNotEmpty());
          Map<String, Long> expected =
              RecordReader.read(mutated) instanceof RecordContent.Bucket bucket
                  ? bucket.consumedMilli()
                  : Map.of();
          for (Map<String, Long> totals : totalsByWindow(usage, true).values()) {
            assertThat(totals).isEqualTo(Map.of("rpm", 1_000L));
          }
          Map<String, Map<String, Long>> others = totalsByWindow(usage, false);
          others.values().forEach(totals -> assertThat(totals).isEqualTo(expected));
          assertThat(others.size()).isEqualTo(expected.isEmpty() ? 0 : 3);
        });
  }

  /** The mutations do reach every kind of end. */
  @Test
  void mutations_areVaried() {
    Map<String, Integer> kinds = new HashMap<>();
    Gen.forEachSeed(
        2_000,
        (random, seed) -> {
          StreamRecord mutated = mutate(random, record(random, Gen.key(random)));
          kinds.merge(RecordReader.read(mutated).getClass().getSimpleName(), 1, Integer::sum);
        });
    assertThat(kinds).containsOnlyKeys("Irrelevant", "Poison", "Bucket");
    assertThat(kinds.values()).allMatch(count -> count > 50);
  }

  private static Map<String, Map<String, Long>> totalsByWindow(
      InMemoryUsageStore usage, boolean ofHealthy) {
    Map<String, Map<String, Long>> totals = new HashMap<>();
    for (UsageItem item : usage.all()) {
      if (item.key().entityId().equals("healthy") == ofHealthy) {
        totals.put(item.key().toString(), item.totalMilli());
      }
    }
    return totals;
  }

  private static StreamRecord record(RandomGenerator random, BucketKey key) {
    BucketState after = Gen.bucketState(random, key, "op2");
    if (Gen.oneIn(random, 4)) {
      return Images.record("77", AT_MS, null, after);
    }
    List<LimitState> limits = new ArrayList<>();
    for (LimitState limit : after.limits()) {
      limits.add(
          new LimitState(
              limit.limit(), limit.tokensMilli(), limit.consumedMilli() - random.nextLong(5_000)));
    }
    BucketState before =
        new BucketState(
            key,
            after.refilledAtMs(),
            limits,
            after.division(),
            after.wcuMilli(),
            after.expiresAtSeconds(),
            "op1",
            after.stamp());
    return Images.record("77", AT_MS, before, after);
  }

  private static StreamRecord healthy(long seed) {
    BucketKey key = BucketKey.first("n", "healthy", "gpt-4");
    Map<String, AttributeValue> image =
        new HashMap<>(
            Images.record("1", AT_MS, null, Gen.bucketState(new SplittableRandom(seed), key, "op"))
                .newImage());
    image.keySet().removeIf(name -> name.startsWith("b_"));
    image.put("b_rpm_tk", AttributeValue.fromN("1"));
    image.put("b_rpm_tc", AttributeValue.fromN("1000"));
    return new StreamRecord("78", AT_MS, OperationType.INSERT, false, Map.of(), Map.of(), image);
  }

  private static StreamRecord mutate(RandomGenerator random, StreamRecord r) {
    return switch (random.nextInt(10)) {
      case 0 -> with(r, Gen.oneOf(random, List.of("", "x", "-5", "1".repeat(41), "12 ")), r.kind());
      case 1 -> with(r, r.sequenceNumber(), Gen.oneOf(random, List.of(OperationType.values())));
      case 2 ->
          new StreamRecord(
              r.sequenceNumber(),
              Gen.oneOf(
                  random, List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 7_258_118_400_000L)),
              r.kind(),
              true,
              r.keys(),
              r.oldImage(),
              r.newImage());
      case 3 -> images(r, Map.of(), r.newImage());
      case 4 -> images(r, r.oldImage(), Map.of());
      case 5 -> images(r, r.newImage(), r.oldImage());
      case 6 -> images(r, broken(random, r.oldImage()), r.newImage());
      default -> images(r, r.oldImage(), broken(random, r.newImage()));
    };
  }

  private static StreamRecord with(StreamRecord r, String number, OperationType kind) {
    return new StreamRecord(
        number, r.createdAtMs(), kind, r.byTimeToLive(), r.keys(), r.oldImage(), r.newImage());
  }

  private static StreamRecord images(
      StreamRecord r, Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    return new StreamRecord(
        r.sequenceNumber(), r.createdAtMs(), r.kind(), r.byTimeToLive(), Map.of(), before, after);
  }

  private static Map<String, AttributeValue> broken(
      RandomGenerator random, Map<String, AttributeValue> image) {
    if (image.isEmpty()) {
      return Map.of("x", value(random));
    }
    Map<String, AttributeValue> broken = new HashMap<>(image);
    String name = Gen.oneOf(random, image.keySet().stream().sorted().toList());
    switch (random.nextInt(4)) {
      case 0 -> broken.remove(name);
      case 1 -> broken.put(name, value(random));
      case 2 -> broken.put("b_" + Gen.oneOf(random, TEXTS) + "_tc", value(random));
      default -> broken.keySet().removeIf(other -> random.nextBoolean());
    }
    return broken;
  }

  private static AttributeValue value(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> AttributeValue.fromS(Gen.oneOf(random, TEXTS));
      case 1 -> AttributeValue.fromBool(true);
      case 2 -> AttributeValue.fromB(SdkBytes.fromUtf8String("x"));
      case 3 -> AttributeValue.fromNul(true);
      default -> AttributeValue.fromN(Gen.oneOf(random, NUMBERS));
    };
  }
}
