package dev.millrace.dynamodb.internal.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.MillraceException;
import dev.millrace.dynamodb.internal.legacy.OldBucket.OldLimit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class OldBucketTest {
  @Test
  void decode_composite_isVersion2() {
    OldBucket old = OldBucket.decode(Old.items(Old.composite(99_000, 1_000)));

    assertThat(old.version()).isEqualTo(OldBucket.COMPOSITE);
    assertThat(old.expires()).isTrue();
    assertThat(old.limits()).hasSize(1);
    OldLimit rpm = old.limits().get(0);
    assertThat(rpm.refilledAtMs()).isEqualTo(Old.NOW_MS - 1_000);
    assertThat(rpm.state().limit()).isEqualTo(Limit.perMinute("rpm", 100));
    assertThat(rpm.state().tokensMilli()).isEqualTo(99_000);
    assertThat(rpm.state().consumedMilli()).isEqualTo(1_000);
  }

  @Test
  void decode_itemsOfOneLimit_areVersion1WithTheirOwnTimestamps() {
    OldBucket old =
        OldBucket.decode(
            Old.items(
                Old.perLimit("tpm", -5, 7, Old.NOW_MS - 2), Old.perLimit("rpm", 3, 4, Old.NOW_MS)));

    assertThat(old.version()).isEqualTo(OldBucket.PER_LIMIT);
    assertThat(old.limits())
        .extracting(limit -> limit.state().name())
        .containsExactly("rpm", "tpm");
    assertThat(old.limits())
        .extracting(OldLimit::refilledAtMs)
        .containsExactly(Old.NOW_MS, Old.NOW_MS - 2);
  }

  @Test
  void decode_bothVersions_theCompositeCounts() {
    OldBucket old =
        OldBucket.decode(
            Old.items(Old.composite(1, 2), Old.perLimit("rpm", 50_000, 3, Old.NOW_MS)));

    assertThat(old.version()).isEqualTo(OldBucket.COMPOSITE);
    assertThat(old.limits().get(0).state().tokensMilli()).isEqualTo(1);
  }

  @Test
  void decode_withoutBurstAndCounter_takesCapacityAndNothing() {
    Map<String, AttributeValue> item = Old.perLimit("rpm", 3, 4, Old.NOW_MS);
    item.remove("burst_milli");
    item.remove("total_consumed_milli");
    item.remove("ttl");

    OldBucket old = OldBucket.decode(Old.items(item));

    assertThat(old.limits().get(0).state().limit().burstMilli()).isEqualTo(100_000);
    assertThat(old.limits().get(0).state().consumedMilli()).isZero();
    assertThat(old.expires()).isFalse();
  }

  @Test
  void decode_theReservedLimit_isPassedOver() {
    Map<String, AttributeValue> item = Old.composite(1, 2);
    Old.put(item, "b_wcu_tk", 5);

    assertThat(OldBucket.decode(Old.items(item)).limits()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"b_rpm_tk", "b_rpm_cp", "b_rpm_rp", "b_rpm_tc"})
  void decode_compositeWithoutAPart_isNamed(String attribute) {
    Map<String, AttributeValue> item = Old.composite(1, 2);
    item.remove(attribute);

    assertCorrupt(item, "#BUCKET#gpt-4");
  }

  @ParameterizedTest
  @CsvSource({
    "b_rpm_cp, 0",
    "b_rpm_ra, -1",
    "b_rpm_rp, 0",
    "b_rpm_bx, 1",
    "b_rpm_tk, 1.5",
    "b_rpm_cp, 99999999999999999999",
    "rf, 1e30",
    "b_a b_tk, 5"
  })
  void decode_hostileComposite_isNamed(String attribute, String number) {
    Map<String, AttributeValue> item = Old.composite(1, 2);
    item.put(attribute, AttributeValue.fromN(number));

    assertCorrupt(item, "#BUCKET#gpt-4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tokens_milli",
        "last_refill_ms",
        "capacity_milli",
        "refill_amount_milli",
        "refill_period_ms"
      })
  void decode_itemOfOneLimitWithoutAPart_isNamed(String attribute) {
    Map<String, AttributeValue> item = Old.perLimit("rpm", 3, 4, Old.NOW_MS);
    item.remove(attribute);
    assertCorrupt(item, "#BUCKET#gpt-4#rpm");

    item.put(attribute, AttributeValue.fromS("text"));
    assertCorrupt(item, "#BUCKET#gpt-4#rpm");
  }

  @Test
  void decode_limitNameThatIsNone_isNamed() {
    assertCorrupt(Old.perLimit("wcu", 3, 4, Old.NOW_MS), "#BUCKET#gpt-4#wcu");
    assertCorrupt(Old.perLimit("a#b", 3, 4, Old.NOW_MS), "#BUCKET#gpt-4#a#b");
  }

  @Test
  void items_ofOtherBuckets_areLeftOut() {
    Map<String, AttributeValue> other = Old.composite(1, 2);
    other.put("SK", AttributeValue.fromS("#BUCKET#gpt-4 x"));

    assertThat(Old.items(other).isEmpty()).isTrue();
  }

  private static void assertCorrupt(Map<String, AttributeValue> item, String sort) {
    assertThatThrownBy(() -> OldBucket.decode(Old.items(item)))
        .isInstanceOfSatisfying(
            MillraceException.class,
            e ->
                assertThat(e.attributes())
                    .containsEntry("partition", "ns/ENTITY#user-123")
                    .containsEntry("sort", sort)
                    .containsKey("problem"));
  }
}
