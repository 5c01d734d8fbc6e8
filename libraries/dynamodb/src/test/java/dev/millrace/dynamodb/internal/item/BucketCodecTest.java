package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.dynamodb.Buckets;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class BucketCodecTest {
  private static final int ROUNDS = 500;

  @Test
  void encode_bucket_hasExactlyTheseAttributes() {
    Limit limit = new Limit("rpm", 10_000, 20_000, Refill.of(5_000, 60_000));
    BucketState state =
        new BucketState(
            new BucketKey("ns", "user-1", "gpt-4", 3),
            1_700_000_000_000L,
            List.of(new LimitState(limit, -1_500, 31_500)),
            Division.of(8, 4),
            /* wcuMilli= */ -2_000,
            1_700_003_600L,
            "op-1",
            ConfigStamp.CALL);

    assertThat(plain(BucketCodec.encode(state)))
        .containsOnly(
            entry("PK", "ns/BUCKET#user-1#gpt-4#3"),
            entry("SK", "#STATE"),
            entry("entity_id", "user-1"),
            entry("resource", "gpt-4"),
            entry("shard_count", "8"),
            entry("sl", "4"),
            entry("b_wcu_tk", "-2000"),
            entry("rf", "1700000000000"),
            entry("ttl", "1700003600"),
            entry("op", "op-1"),
            entry("GSI2PK", "ns/RESOURCE#gpt-4"),
            entry("GSI2SK", "BUCKET#user-1#3"),
            entry("GSI3PK", "ns/ENTITY#user-1"),
            entry("GSI3SK", "BUCKET#gpt-4#3"),
            entry("b_rpm_tk", "-1500"),
            entry("b_rpm_cp", "10000"),
            entry("b_rpm_bx", "20000"),
            entry("b_rpm_ra", "5000"),
            entry("b_rpm_rp", "60000"),
            entry("b_rpm_tc", "31500"));
  }

  @Test
  void encode_stampAndSoftLimit_addTheseAttributes() {
    BucketState plain = Buckets.state("rpm");
    BucketState state =
        new BucketState(
            plain.key(),
            plain.refilledAtMs(),
            List.of(LimitState.full(Limit.perMinute("rpm", 10).asSoft())),
            plain.expiresAtSeconds(),
            plain.op(),
            new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 12), true));
    Map<String, String> expected = plain(BucketCodec.encode(plain));
    expected.putAll(Map.of("cv", "....c", "lv", "r", "off", "1", "b_rpm_sf", "1"));
    assertThat(plain(BucketCodec.encode(state))).isEqualTo(expected);
    assertThat(BucketCodec.decode(BucketCodec.encode(state))).isEqualTo(state);
  }

  /** A bucket about which nothing is stored, and which is whole, does without. */
  @Test
  void encode_defaultStampAndDivision_addNothing() {
    assertThat(BucketCodec.encode(Buckets.state("rpm")))
        .doesNotContainKeys("cv", "lv", "off", "sl", "b_rpm_sf");
  }

  @Test
  void decode_encode_everyLevel_isIdentity() {
    for (int level = 1; level <= BucketKey.MAX_SHARDS; level *= 2) {
      for (int shard : new int[] {0, level / 2, level - 1}) {
        BucketState state = Buckets.shard(shard, Division.of(BucketKey.MAX_SHARDS / level, level));
        assertThat(BucketCodec.decode(BucketCodec.encode(state))).isEqualTo(state);
      }
    }
  }

  /** A write to the whole demands that there is no level, so one that says 1 would be stuck. */
  @Test
  void decode_levelOneStored_isCorrupt() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("sl", AttributeValue.fromN("1"));
    assertCorrupt(item, "sl 1 must be absent");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "64, 64"})
  void decode_levelNotAboveTheShard_isCorrupt(int shard, int level) {
    Map<String, AttributeValue> item = item(Buckets.shard(shard, Division.of(1, 128)));
    if (level == 1) {
      item.remove("sl");
    } else {
      item.put("sl", AttributeValue.fromN(String.valueOf(level)));
    }
    assertCorrupt(item, "sl is not above the shard");
  }

  @ParameterizedTest
  @CsvSource({
    "shard_count, 0",
    "shard_count, 3",
    "shard_count, 131072",
    "shard_count, -2147483648",
    "shard_count, 4294967296",
    "sl, -2",
    "sl, 0",
    "sl, 6",
    "sl, 131072",
    "sl, 4294967297"
  })
  void decode_noPowerOfTwo_isCorrupt(String attribute, String number) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put(attribute, AttributeValue.fromN(number));
    assertCorrupt(item, attribute + " is not a power of two from 1 to 65536");
  }

  /** An item of before, which the first write debits from nothing. */
  @Test
  void decode_noWriteUnits_areNone() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.remove("b_wcu_tk");
    assertThat(BucketCodec.decode(item)).isEqualTo(Buckets.state("rpm").withWcuMilli(0));
  }

  @ParameterizedTest
  @CsvSource({
    "1000000, 1000000",
    "-5, -5",
    "9223372036854775808, 9223372036854775807",
    "-9223372036854775809, -9223372036854775808"
  })
  void decode_writeUnits_areABalance(String stored, long expected) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("b_wcu_tk", AttributeValue.fromN(stored));
    assertThat(BucketCodec.decode(item).wcuMilli()).isEqualTo(expected);
  }

  /** As the condition of a consuming write reads it. */
  @Test
  void decode_offOfWhateverValue_isOff() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("off", AttributeValue.fromBool(false));
    assertThat(BucketCodec.decode(item).stamp())
        .isEqualTo(new ConfigStamp(ConfigLevel.CALL, RecordVersions.NONE, true));
  }

  /** The sum of versions, as it was written before they were kept apart: older than everything. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "12", "9223372036854775807", "-1"})
  void decode_versionsAsANumber_areTheOldest(String sum) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("cv", AttributeValue.fromN(sum));
    item.put("lv", AttributeValue.fromS("r"));
    item.put("off", AttributeValue.fromN("1"));
    assertThat(BucketCodec.decode(item).stamp())
        .isEqualTo(new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.NONE, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "1.2.3.4",
        "1.2.3.4.5.6",
        "-1.2.3.4.5",
        "+1.2.3.4.5",
        "1.02.3.4.5",
        "1.A.3.4.5",
        "1. .3.4.5",
        "0.1.2.3.4",
        "....zzzzzzzzzzzzzz"
      })
  void decode_senselessVersions_areCorrupt(String text) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("cv", AttributeValue.fromS(text));
    assertCorrupt(item);
  }

  @Test
  void decode_versionsThatAreNoText_areCorrupt() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("cv", AttributeValue.fromBool(true));
    assertCorrupt(item);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "E", "ee", "c"})
  void decode_unknownLevel_isCorrupt(String letter) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("lv", AttributeValue.fromS(letter));
    assertThatThrownBy(() -> BucketCodec.decode(item))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("level '" + letter + "' is none of e, d, r, s");
  }

  @Test
  void decode_levelThatIsNoText_isCorrupt() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("lv", AttributeValue.fromN("1"));
    assertCorrupt(item);
  }

  @Test
  void encode_neverExpiringWithoutOp_hasNeitherAttribute() {
    BucketState state = BucketState.full(Buckets.KEY, limits("rpm"), Buckets.NOW_MS);
    assertThat(BucketCodec.encode(state)).doesNotContainKeys("ttl", "op");
    assertThat(BucketCodec.decode(BucketCodec.encode(state))).isEqualTo(state);
  }

  @Test
  void decode_encode_isIdentity() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      BucketState state = random(new Random(seed));
      Map<String, AttributeValue> item = BucketCodec.encode(state);
      assertThat(BucketCodec.decode(item)).as("seed %d", seed).isEqualTo(state);
      assertThat(BucketCodec.decode(state.key(), item)).as("seed %d", seed).isEqualTo(state);
    }
  }

  @Test
  void decode_sameParametersOtherBalance_usesTheLimitAgain() {
    Limit first = BucketCodec.decode(item(Buckets.state("rpm"))).limits().get(0).limit();
    Map<String, AttributeValue> later = item(Buckets.state("rpm"));
    later.put("b_rpm_tk", AttributeValue.fromN("-7"));
    later.put("b_rpm_tc", AttributeValue.fromN("99"));

    LimitState limit = BucketCodec.decode(later).limits().get(0);

    assertThat(limit.limit()).isSameAs(first);
    assertThat(limit.tokensMilli()).isEqualTo(-7);
    assertThat(limit.consumedMilli()).isEqualTo(99);
  }

  /** A limit is used again only while every attribute and text that it came from is the same. */
  @Test
  void decode_itemThatDiffersFromTheLast_isValidated() {
    Map<String, AttributeValue> known = item(Buckets.state("rpm"));
    known.put("zz", AttributeValue.fromS("of a newer version"));
    BucketState state = BucketCodec.decode(known);
    for (String attribute : List.of("b_rpm_tk", "b_rpm_tc", "b_rpm_cp", "b_rpm_rp")) {
      Map<String, AttributeValue> changed = new HashMap<>(known);
      changed.put(attribute, AttributeValue.fromN("x"));
      assertCorrupt(changed);
      changed.put(attribute, AttributeValue.fromS("1"));
      assertCorrupt(changed);
      changed.remove(attribute);
      changed.put("zy", AttributeValue.fromS("in its place"));
      assertCorrupt(changed);
    }
    Map<String, AttributeValue> half = new HashMap<>(known);
    half.remove("zz");
    half.put("b_tpm_cp", AttributeValue.fromN("1000"));
    assertCorrupt(half);
    Map<String, AttributeValue> larger = new HashMap<>(known);
    larger.put("b_rpm_cp", AttributeValue.fromN("77000"));
    assertThat(BucketCodec.decode(larger).limits().get(0).limit().capacityMilli())
        .isEqualTo(77_000);
    assertThat(BucketCodec.decode(known)).isEqualTo(state);
  }

  @Test
  void decode_limits_areInTheOrderOfTheirNames() {
    BucketState state =
        BucketCodec.decode(BucketCodec.encode(Buckets.state("b", "a_tk", "a-b", "a.b", "a")));
    assertThat(state.limits())
        .extracting(LimitState::name)
        .containsExactly("a", "a-b", "a.b", "a_tk", "b");
  }

  @Test
  void decode_unknownAttributesAndReservedLimitsOthers_arePassedOver() {
    BucketState state = Buckets.state("rpm");
    Map<String, AttributeValue> item = item(state);
    item.put("parent_id", AttributeValue.fromS("team-1"));
    item.put("b_rpm_zz", AttributeValue.fromBool(true));
    item.put("b_wcu_cp", AttributeValue.fromN("1000000"));
    assertThat(BucketCodec.decode(item)).isEqualTo(state);
  }

  @Test
  void decode_olderItem_hasDefaults() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.keySet().removeAll(List.of("b_rpm_bx", "op", "ttl"));
    BucketState state = BucketCodec.decode(item);
    assertThat(state.limits().get(0).limit().burstMilli()).isEqualTo(10_000);
    assertThat(state.op()).isEmpty();
    assertThat(state.expiresAtSeconds()).isEqualTo(BucketState.NEVER);
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808, 9223372036854775807",
    "-9223372036854775809, -9223372036854775808",
    "99999999999999999999999999999999999999, 9223372036854775807",
    "1E+20, 9223372036854775807",
    "1E2, 100"
  })
  void decode_balanceBeyond64Bits_saturates(String stored, long expected) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("b_rpm_tk", AttributeValue.fromN(stored));
    assertThat(BucketCodec.decode(item).limits().get(0).tokensMilli()).isEqualTo(expected);
  }

  /** What readers of the counter use is the difference. */
  @Test
  void decode_counterBeyond64Bits_keepsDifferences() {
    BigInteger before = BigInteger.valueOf(Long.MAX_VALUE).subtract(BigInteger.TEN);
    BigInteger after = before.add(BigInteger.valueOf(12_345));
    assertThat(consumed(after) - consumed(before)).isEqualTo(12_345);
    assertThat(consumed(after)).isNegative();
  }

  @Test
  void encode_fieldsThatEqualTheCapacity_areLeftOutAndComeBack() {
    BucketState state =
        BucketState.full(
            BucketKey.first("default", "key-1", "gpt-4"),
            LimitSet.of(Limit.perMinute("rpm", 100)),
            1_800_000_000_000L);

    Map<String, AttributeValue> item = item(state);

    assertThat(item).containsKeys("b_rpm_tk", "b_rpm_cp", "b_rpm_rp", "b_rpm_tc");
    assertThat(item).doesNotContainKeys("b_rpm_bx", "b_rpm_ra");
    assertThat(BucketCodec.decode(item)).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rf", "shard_count", "b_rpm_tk", "b_rpm_cp", "b_rpm_rp", "b_rpm_tc", "PK"})
  void decode_missingAttribute_isCorrupt(String attribute) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm", "tpm"));
    item.remove(attribute);
    assertCorrupt(item);
  }

  @ParameterizedTest
  @CsvSource({
    "rf, x",
    "rf, 1.5",
    "rf, 9223372036854775808",
    "ttl, x",
    "shard_count, 1.5",
    "sl, x",
    "b_wcu_tk, 1.5",
    "b_rpm_tk, 1.5",
    "b_rpm_tk, 1E+999999999",
    "b_rpm_tk, x",
    "b_rpm_tc, 0.1",
    "b_rpm_cp, 0",
    "b_rpm_cp, 9223372036854775808",
    "b_rpm_bx, 9999",
    "b_rpm_ra, -1",
    "b_rpm_rp, 0",
    "b_rpm_sf, 0",
    "b_rpm_sf, 2"
  })
  void decode_senselessNumber_isCorrupt(String attribute, String number) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put(attribute, AttributeValue.fromN(number));
    assertCorrupt(item);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rf", "ttl", "shard_count", "sl", "b_rpm_tk", "b_rpm_bx", "b_rpm_sf", "b_wcu_tk"})
  void decode_textWhereANumberBelongs_isCorrupt(String attribute) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put(attribute, AttributeValue.fromS("10"));
    assertCorrupt(item);
  }

  @Test
  void decode_halfALimit_isCorrupt() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("b_tpm_tk", AttributeValue.fromN("5"));
    item.put("b_tpm_tc", AttributeValue.fromN("5"));
    assertThatThrownBy(() -> BucketCodec.decode(item))
        .isInstanceOfSatisfying(
            MillraceException.class,
            e -> {
              assertThat(e.summary()).isEqualTo("corrupt bucket item");
              assertThat(e.attributes())
                  .containsEntry("key", "ns/user-1/gpt-4#0")
                  .containsEntry("limit", "tpm")
                  .containsEntry("problem", "cp is missing or not a number");
            });
  }

  @Test
  void decode_noLimits_isCorrupt() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.keySet().removeIf(name -> name.startsWith("b_"));
    assertCorrupt(item);
  }

  @Test
  void decode_anotherRecordsKey_isCorrupt() {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("PK", AttributeValue.fromS("ns/ENTITY#user-1"));
    assertCorrupt(item);
  }

  private static void assertCorrupt(Map<String, AttributeValue> item) {
    assertThatThrownBy(() -> BucketCodec.decode(item))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("corrupt bucket item");
  }

  private static void assertCorrupt(Map<String, AttributeValue> item, String problem) {
    assertThatThrownBy(() -> BucketCodec.decode(item))
        .isInstanceOfSatisfying(
            MillraceException.class,
            e -> assertThat(e.attributes()).containsEntry("problem", problem));
  }

  private static long consumed(BigInteger stored) {
    Map<String, AttributeValue> item = item(Buckets.state("rpm"));
    item.put("b_rpm_tc", AttributeValue.fromN(stored.toString()));
    return BucketCodec.decode(item).limits().get(0).consumedMilli();
  }

  private static Map<String, AttributeValue> item(BucketState state) {
    return new HashMap<>(BucketCodec.encode(state));
  }

  private static Map<String, String> plain(Map<String, AttributeValue> item) {
    Map<String, String> plain = new HashMap<>();
    item.forEach((name, value) -> plain.put(name, value.s() == null ? value.n() : value.s()));
    return plain;
  }

  private static LimitSet limits(String name) {
    return LimitSet.of(Limit.perMinute(name, 10));
  }

  private static BucketState random(Random random) {
    List<LimitState> limits = new ArrayList<>();
    for (String name : List.of("A.b-c_d", "a", "a-b", "a.b", "a_b", "a_tk", "tk", "z")) {
      if (random.nextBoolean() || name.equals("z")) {
        long capacityMilli = 1L + random.nextInt(Integer.MAX_VALUE);
        Limit limit =
            new Limit(
                name,
                capacityMilli,
                capacityMilli + random.nextInt(1_000_000),
                Refill.of(1 + random.nextInt(1_000_000), 1 + random.nextInt(86_400_000)),
                random.nextInt(4) == 0);
        limits.add(new LimitState(limit, random.nextLong(), random.nextLong()));
      }
    }
    BucketKey key = new BucketKey("ns", "user-1", "openai/gpt-4", random.nextInt(100));
    return new BucketState(
        key,
        random.nextLong(),
        limits,
        Division.of(1 << random.nextInt(17), 1 << (7 + random.nextInt(10))),
        random.nextBoolean() ? 0 : random.nextLong(),
        random.nextBoolean() ? BucketState.NEVER : 1L + random.nextInt(Integer.MAX_VALUE),
        random.nextBoolean() ? "" : "op-" + random.nextInt(),
        new ConfigStamp(
            List.of(ConfigLevel.values()).get(random.nextInt(5)),
            random.nextBoolean()
                ? RecordVersions.NONE
                : new RecordVersions(
                    random.nextInt(3),
                    random.nextLong() >>> 1,
                    0,
                    random.nextInt(3),
                    random.nextLong() >>> 1),
            random.nextInt(4) == 0));
  }
}
