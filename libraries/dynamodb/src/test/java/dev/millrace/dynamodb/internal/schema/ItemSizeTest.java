package dev.millrace.dynamodb.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ItemSizeTest {
  /** Every record about the bucket was changed more than a million times. */
  private static final ConfigStamp MILLION_CHANGES =
      new ConfigStamp(
          ConfigLevel.ENTITY_RESOURCE,
          new RecordVersions(1_234_567, 1_234_567, 1_234_567, 1_234_567, 1_234_567),
          /* disabled= */ true);

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "7, 2",
    "-7, 3",
    "10, 2",
    "123, 3",
    "1000000000, 2",
    "1234567890, 6",
    "-1234567890, 7",
    "0.00012, 2",
    "1700000000000, 2",
    "1712345678901, 8",
    "12345678901234567890123456789012345678, 20",
    "-12345678901234567890123456789012345678, 21"
  })
  void bytes_number_countsSignificantDigits(String number, int expected) {
    assertThat(ItemSize.bytes(Map.of("a", AttributeValue.fromN(number)))).isEqualTo(1 + expected);
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "abc, 3", "é, 2", "€, 3", "😀, 4"})
  void bytes_string_countsUtf8(String text, int expected) {
    assertThat(ItemSize.bytes(Map.of("é", AttributeValue.fromS(text)))).isEqualTo(2 + expected);
  }

  @Test
  void bytes_otherTypes_followTheRules() {
    AttributeValue bytes = AttributeValue.fromB(SdkBytes.fromByteArray(new byte[10]));
    assertThat(size(bytes)).isEqualTo(10);
    assertThat(size(AttributeValue.fromBool(true))).isEqualTo(1);
    assertThat(size(AttributeValue.fromNul(true))).isEqualTo(1);
    assertThat(size(AttributeValue.fromSs(List.of("ab", "c")))).isEqualTo(3);
    assertThat(size(AttributeValue.fromNs(List.of("1", "123")))).isEqualTo(5);
    assertThat(size(AttributeValue.fromL(List.of(bytes)))).isEqualTo(3 + 1 + 10);
    assertThat(size(AttributeValue.fromM(Map.of("ab", bytes)))).isEqualTo(3 + 1 + 2 + 10);
  }

  @Test
  void writeUnits_eachStartedKilobyte_isOne() {
    assertThat(ItemSize.writeUnits(Map.of())).isEqualTo(1);
    assertThat(ItemSize.writeUnits(itemOf(1_024))).isEqualTo(1);
    assertThat(ItemSize.writeUnits(itemOf(1_025))).isEqualTo(2);
  }

  @Test
  void bucket_fiveLimits_isOneWriteUnit() {
    assertThat(ItemSize.bytes(bucket("rpm", "tpm", "rpd", "tpd", "images")))
        .isLessThanOrEqualTo(1_024);
    assertThat(ItemSize.bytes(bucket("req_min", "req_day", "tok_min", "tok_day", "usd_day")))
        .isLessThanOrEqualTo(1_024);
  }

  /** The most that stored limits add: large versions, a level, the switch, every limit soft. */
  @Test
  void bucket_fiveStoredLimits_isOneWriteUnit() {
    ConfigStamp stamp = MILLION_CHANGES;
    for (String[] names :
        new String[][] {
          {"rpm", "tpm", "rpd", "tpd", "images"},
          {"req_min", "req_day", "tok_min", "tok_day", "usd_day"}
        }) {
      int plain = ItemSize.bytes(bucket(ConfigStamp.CALL, /* soft= */ false, names));
      int hard = ItemSize.bytes(bucket(stamp, /* soft= */ false, names));
      int soft = ItemSize.bytes(bucket(stamp, /* soft= */ true, names));
      assertThat(hard - plain).isEqualTo(34); // cv 2 + 5 x 4 + 4, lv 2 + 1, off 3 + 2
      assertThat(soft).isLessThan(ItemSize.WRITE_UNIT_BYTES);
    }
  }

  /** What one shard of many adds, and a partition that is used up and not at a round number. */
  @Test
  void bucket_shardWithFiveStoredLimits_isOneWriteUnit() {
    ConfigStamp stamp = MILLION_CHANGES;
    String[] names = {"req_min", "req_day", "tok_min", "tok_day", "usd_day"};
    Map<String, AttributeValue> full = bucket(stamp, /* soft= */ true, names);
    Map<String, AttributeValue> spent = bucket(stamp, /* soft= */ true, -98_765_432, names);
    assertThat(full).containsEntry("sl", AttributeValue.fromN("64"));
    assertThat(ItemSize.bytes(Map.of("sl", AttributeValue.fromN("64")))).isEqualTo(2 + 2);
    assertThat(ItemSize.bytes(Map.of("b_wcu_tk", AttributeValue.fromN("1000000"))))
        .isEqualTo(8 + 2);
    assertThat(ItemSize.bytes(spent) - ItemSize.bytes(full)).isEqualTo(4);
    assertThat(ItemSize.bytes(spent)).isLessThanOrEqualTo(ItemSize.WRITE_UNIT_BYTES);
  }

  @Test
  void bucket_twoLimits_isSmall() {
    assertThat(ItemSize.bytes(bucket("rpm", "tpm"))).isLessThanOrEqualTo(700);
  }

  /** A long-used bucket in debt with unround numbers, of an entity with a UUID. */
  private static Map<String, AttributeValue> bucket(String... limitNames) {
    return bucket(ConfigStamp.CALL, /* soft= */ false, limitNames);
  }

  private static Map<String, AttributeValue> bucket(
      ConfigStamp stamp, boolean soft, String... limitNames) {
    return bucket(stamp, soft, WriteUnits.DYNAMODB.fullMilli(), limitNames);
  }

  private static Map<String, AttributeValue> bucket(
      ConfigStamp stamp, boolean soft, long wcuMilli, String... limitNames) {
    BucketKey key =
        new BucketKey(
            "4v0tvs71xfY", "0b8f1c7e-5d0a-4b1e-9c63-2f8f0e6a7d31", "anthropic/claude-4.5", 12);
    Limit proto = new Limit("x", 12_345_000, 123_456_000, Refill.of(12_345_000, 86_400_000));
    List<LimitState> limits =
        Arrays.stream(limitNames)
            .map(
                name ->
                    new Limit(
                        name, proto.capacityMilli(), proto.burstMilli(), proto.refill(), soft))
            .map(limit -> new LimitState(limit, -987_654_321, 98_765_432_109_876L))
            .toList();
    BucketState state =
        new BucketState(
            key,
            1_712_345_678_901L,
            limits,
            Division.of(64, 64),
            wcuMilli,
            1_712_345_679L,
            "0123456789abcdefghijkl",
            stamp);
    return BucketCodec.encode(state);
  }

  private static int size(AttributeValue value) {
    return ItemSize.bytes(Map.of("", value));
  }

  private static Map<String, AttributeValue> itemOf(int bytes) {
    return Map.of("a", AttributeValue.fromS("x".repeat(bytes - 1)));
  }
}
