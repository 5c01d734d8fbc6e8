package dev.millrace.testkit.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.directory.Listing;
import dev.millrace.testkit.internal.generator.RecordGen;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PageCursorTest {
  private static final Listing LISTING = new Listing.AuditOfSubject("test", "5:a\n7:", "", "");
  private static final ListRange RANGE = ListRange.of(LISTING);

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void assertMistake(String cursor) {
    assertThatThrownBy(() -> PageCursor.parse(cursor, LISTING, RANGE))
        .as(cursor)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cursor '" + cursor + "' is ");
  }

  @Test
  void parse_whatWasFormatted_isTheSame() {
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      TablePosition place =
          new TablePosition(RANGE.from().partition(), RecordGen.text(random) + "7:x\n");
      assertThat(PageCursor.parse(PageCursor.format(LISTING, place), LISTING, RANGE))
          .isEqualTo(place);
    }
  }

  @Test
  void parse_brokenInAnyWay_isAMistake() {
    String listing = LISTING.toString();
    String prefix = listing.length() + ":" + listing;
    String partition = RANGE.from().partition();
    for (String broken :
        new String[] {
          "",
          ":",
          "5",
          "5:",
          "-1:",
          "2147483647:x",
          "99999999999:x",
          partition.length() + ":" + partition,
          partition.length() + ":" + partition + "9:x",
          partition.length() + ":" + partition + "1:xy",
          "0:1:x",
          "1:x1:x"
        }) {
      assertMistake(encoded(prefix + broken));
      assertMistake(encoded(broken));
    }
    assertMistake(PageCursor.format(new Listing.AllItems(), RANGE.from()));
    assertMistake(PageCursor.format(LISTING, new TablePosition("elsewhere", "x")));
    assertMistake("%");
  }
}
