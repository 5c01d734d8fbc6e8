package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class BucketChangeTest {
  private static final ItemAddress SHARD_1 = new ItemAddress("n/BUCKET#a#gpt-4#1", "#STATE");

  /** Attributes of a bucket: name, number, name, number. */
  private static Map<String, AttributeValue> item(String... numbers) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("entity_id", AttributeValue.fromS("a"));
    item.put("resource", AttributeValue.fromS("gpt-4"));
    for (int i = 0; i < numbers.length; i += 2) {
      item.put(numbers[i], AttributeValue.fromN(numbers[i + 1]));
    }
    return item;
  }

  private static Map<String, Long> consumed(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    @Nullable BucketChange change = BucketChange.read(SHARD_1, before, after);
    assertThat(change).isNotNull();
    return change == null ? Map.of() : change.consumedMilli();
  }

  @Test
  void read_counters_areDifferences() {
    assertThat(
            consumed(
                item("b_rpm_tc", "5", "b_tpm_tc", "9", "b_x_tc", "1", "b_wcu_tc", "1"),
                item("b_rpm_tc", "7", "b_tpm_tc", "2", "b_x_tc", "1", "b_wcu_tc", "9")))
        .isEqualTo(Map.of("rpm", 2L, "tpm", -7L));
  }

  @Test
  void read_addedAndRemovedLimits_countFromZeroAndNothing() {
    assertThat(consumed(item("b_old_tc", "5"), item("b_new_tc", "7"))).isEqualTo(Map.of("new", 7L));
    assertThat(consumed(Map.of(), item("b_new_tc", "7"))).isEqualTo(Map.of("new", 7L));
    assertThat(consumed(item("b_rpm_tk", "5"), item("b_rpm_tc", "7"))).isEmpty();
  }

  @Test
  void read_fallingLevel_isAMerge() {
    assertThat(consumed(item("b_rpm_tc", "5", "sl", "4"), item("b_rpm_tc", "99", "sl", "2")))
        .isEmpty();
    assertThat(consumed(item("b_rpm_tc", "5", "sl", "2"), item("b_rpm_tc", "99"))).isEmpty();
    assertThat(consumed(item("b_rpm_tc", "5"), item("b_rpm_tc", "6", "sl", "2")))
        .isEqualTo(Map.of("rpm", 1L));
  }

  @Test
  void read_beyond64Bits_isExactOrRefused() {
    assertThat(
            consumed(item("b_a_tc", "9223372036854775807"), item("b_a_tc", "9223372036854775809")))
        .isEqualTo(Map.of("a", 2L));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> consumed(item("b_a_tc", "0"), item("b_a_tc", "9".repeat(30))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> consumed(item("b_a_tc", "0"), item("b_a_tc", "1.5")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> consumed(item("b_a_tc", "0"), item("b_a_tc", "1", "sl", "3")));
  }

  @Test
  void read_keys_sayWhichBucket() {
    BucketKey shard = new BucketKey("n", "a", "gpt-4", 1);
    assertThat(BucketChange.read(SHARD_1, Map.of(), item()))
        .isEqualTo(new BucketChange(shard, false, Map.of(), null));
    ItemAddress old = new ItemAddress("n/ENTITY#a", "#BUCKET#gpt-4");
    assertThat(BucketChange.read(old, Map.of(), item("b_a_tc", "1")))
        .isEqualTo(new BucketChange(shard.withShard(0), true, Map.of("a", 1L), null));
    for (ItemAddress other :
        new ItemAddress[] {
          new ItemAddress("n/ENTITY#a", "#META"),
          new ItemAddress("n/ENTITY#a", "#USAGE#gpt-4#day#2026-11-15T00:00Z"),
          new ItemAddress("n/BUCKET#a#gpt-4#1", "#OTHER"),
          new ItemAddress("somebody", "else")
        }) {
      assertThat(BucketChange.read(other, Map.of(), item("b_a_tc", "1"))).isNull();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                BucketChange.read(
                    new ItemAddress("n/BUCKET#b#gpt-4#1", "#STATE"), Map.of(), item()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> BucketChange.read(new ItemAddress("n/BUCKET#a", "#STATE"), Map.of(), item()));
  }

  @Test
  void read_carriedOver_countsNothing() {
    Map<String, AttributeValue> carried = item("b_rpm_tc", "7");
    carried.put("op", AttributeValue.fromS("$1"));
    Map<String, AttributeValue> next = item("b_rpm_tc", "9");
    next.put("op", AttributeValue.fromS("$1"));

    assertThat(consumed(Map.of(), carried)).isEmpty();
    // Somebody wrote without an id of its own since.
    assertThat(consumed(carried, next)).isEqualTo(Map.of("rpm", 2L));
  }

  @Test
  void read_itemOfOneLimit_isNotOurs() {
    ItemAddress address = new ItemAddress("n/ENTITY#a", "#BUCKET#gpt-4#rpm");
    assertThat(BucketChange.read(address, Map.of(), item())).isNull();
  }
}
