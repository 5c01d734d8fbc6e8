package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StampCodecTest {
  @Test
  void text_someRecordsAreThere_leavesTheOthersOut() {
    assertThat(StampCodec.text(new RecordVersions(3, 1, 0, 20, 2))).isEqualTo("3.1..k.2");
    assertThat(StampCodec.text(new RecordVersions(0, 0, 0, 0, 1))).isEqualTo("....1");
    assertThat(StampCodec.text(new RecordVersions(36, 0, 0, 0, 0))).isEqualTo("10....");
  }

  @Test
  void parse_whatWasWritten_isTheSame() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      RecordVersions versions =
          new RecordVersions(
              version(random), version(random), version(random), version(random), version(random));
      assertThat(StampCodec.parse(StampCodec.text(versions))).isEqualTo(versions);
    }
  }

  private static long version(Random random) {
    return random.nextInt(3) == 0 ? 0 : (random.nextLong() >>> 1) >> random.nextInt(63);
  }

  @Test
  void parse_anythingElse_isRefused() {
    for (String text :
        new String[] {"", "7", "1.2.3.4", "1.2.3.4.5.", "1.-2.3.4.5", "1.2.3.4.05", "1.2.3.4.A"}) {
      assertThatIllegalArgumentException().as(text).isThrownBy(() -> StampCodec.parse(text));
    }
  }
}
