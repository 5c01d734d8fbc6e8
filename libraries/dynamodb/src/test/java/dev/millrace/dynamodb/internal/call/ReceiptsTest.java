package dev.millrace.dynamodb.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.SdkHttpResponse;

class ReceiptsTest {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final long YEAR_3000_SECONDS = 32_503_680_000L;

  @Test
  void epochMs_anySecond_agreesWithTheJdk() {
    Random random = new Random(7);
    for (int i = 0; i < 5_000; i++) {
      Instant instant = Instant.ofEpochSecond((long) (random.nextDouble() * YEAR_3000_SECONDS));
      String date = FORMAT.format(instant);
      assertThat(Receipts.epochMs(date)).as(date).isEqualTo(instant.toEpochMilli());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 anF 1994 08:49:37 GMT",
        "Sun, 0x Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:-1 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void epochMs_unreadable_isNoTime(String date) {
    assertThat(Receipts.epochMs(date)).isEqualTo(Receipt.NO_TIME);
  }

  @Test
  void storeTimeMs_anyCaseOrAbsent_isFoundOrNoTime() {
    SdkHttpResponse response =
        SdkHttpResponse.builder()
            .statusCode(200)
            .putHeader("date", "Thu, 01 Jan 1970 00:00:01 GMT")
            .build();
    assertThat(Receipts.storeTimeMs(response)).isEqualTo(1_000);
    assertThat(Receipts.storeTimeMs(SdkHttpResponse.builder().statusCode(200).build()))
        .isEqualTo(Receipt.NO_TIME);
  }
}
