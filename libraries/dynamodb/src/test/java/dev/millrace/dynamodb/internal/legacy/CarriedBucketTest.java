package dev.millrace.dynamodb.internal.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class CarriedBucketTest {
  private static final Limit RPM = Limit.perMinute("rpm", 100);

  /** 50 tokens and a counter of 7 were carried over at {@link Old#NOW_MS}. */
  private static CarriedBucket carried() {
    Map<String, AttributeValue> item = Old.composite(Fences.BALANCE_MILLI, 7_000);
    Old.put(item, "moved", 2);
    Old.put(item, "moved_rf", Old.NOW_MS);
    Old.put(item, "moved_rpm_tk", 50_000);
    Old.put(item, "moved_rpm_tc", 7_000);
    return CarriedBucket.of(Old.items(item));
  }

  private static @Nullable String defect(Limit limit, long tokens, long consumed, long afterMs) {
    BucketState today =
        new BucketState(
            Old.KEY,
            Old.NOW_MS + afterMs,
            List.of(new LimitState(limit, tokens, consumed)),
            BucketState.NEVER,
            "op");
    return carried().defect(List.of(today));
  }

  @Test
  void defect_asCarriedOver_isNone() {
    assertThat(defect(RPM, 50_000, 7_000, 0)).isNull();
    assertThat(defect(RPM, 30_000, 27_000, 0)).isNull();
    assertThat(defect(RPM, -1_000, 58_000, 0)).isNull();
  }

  @Test
  void defect_refillSince_isNone() {
    // A hundred a minute are one in 600 ms.
    assertThat(defect(RPM, 51_000, 7_000, 600)).isNull();
    assertThat(defect(RPM, 1_000, 57_000, 600)).isNull();
  }

  @Test
  void defect_tokensFromNowhere_areNamed() {
    assertThat(defect(RPM, 50_001, 7_000, 0)).isEqualTo("limit rpm has 1 that nobody carried over");
    assertThat(defect(RPM, 100_000, 7_000, 600)).contains("has 49000");
    assertThat(defect(RPM, 40_000, 18_000, 0)).contains("has 1000");
  }

  @Test
  void defect_lostCounter_isNamed() {
    assertThat(defect(RPM, 50_000, 6_999, 0))
        .isEqualTo("counter of rpm is 1 below what was carried over");
  }

  @Test
  void defect_otherLimits_tellNothingOfTheBalance() {
    assertThat(defect(Limit.perMinute("rpm", 200), 190_000, 7_000, 0)).isNull();
    assertThat(defect(Limit.perMinute("tpm", 200), 190_000, 0, 0)).isNull();
    assertThat(carried().defect(List.of())).isNull();
  }
}
