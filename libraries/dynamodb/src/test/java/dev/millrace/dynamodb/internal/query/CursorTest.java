package dev.millrace.dynamodb.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.directory.Listing;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class CursorTest {
  private static final ListingPlan CHILDREN = ListingPlan.of(new Listing.Children("a", "x"));
  private static final Map<String, AttributeValue> LAST_CHILD =
      key("PK", "a/ENTITY#y", "SK", "#META", "GSI1PK", "a/PARENT#x", "GSI1SK", "CHILD#y");

  private static final ListingPlan CONFIGS = ListingPlan.of(new Listing.ConfigsOfEntity("a", "x"));
  private static final Map<String, AttributeValue> LAST_CONFIG =
      key("PK", "a/ENTITY#x", "SK", "#CONFIG#gpt-4");

  private static final ListingPlan ALL = ListingPlan.of(new Listing.AllItems());

  @Test
  void parse_format_isIdentity() {
    assertThat(Cursor.parse(CHILDREN, Cursor.format(CHILDREN, LAST_CHILD))).isEqualTo(LAST_CHILD);
    assertThat(Cursor.parse(CONFIGS, Cursor.format(CONFIGS, LAST_CONFIG))).isEqualTo(LAST_CONFIG);
    Map<String, AttributeValue> odd = key("PK", "\u0000Zoë 😀\n/", "SK", "");
    assertThat(Cursor.parse(ALL, Cursor.format(ALL, odd))).isEqualTo(odd);
  }

  /** Jobs keep their cursors in the table, so this text must stay what it is. */
  @Test
  void format_listing_staysTheSameForEver() {
    assertThat(Cursor.format(CONFIGS, LAST_CONFIG)).isEqualTo("CfajtgANI0NPTkZJRyNncHQtNA");
  }

  @Test
  void parse_cursorOfAnotherListing_isRefused() {
    List<ListingPlan> others =
        List.of(
            ListingPlan.of(new Listing.Children("a", "y")),
            ListingPlan.of(new Listing.Children("a-b", "x")),
            ListingPlan.of(new Listing.Roots("a")),
            ListingPlan.of(new Listing.BucketsOfEntity("a", "x")),
            ListingPlan.of(new Listing.ConfigsOfEntity("a", "x:y")),
            ListingPlan.of(new Listing.ItemsOfEntity("a", "x")),
            ListingPlan.of(new Listing.Jobs("a")),
            ListingPlan.of(new Listing.AuditOfSubject("a", "x", "", "")),
            ListingPlan.of(new Listing.AuditOfSubject("a", "x", "1", "")),
            ListingPlan.of(new Listing.BucketsOfNamespace("a")),
            ALL);
    for (ListingPlan other : others) {
      assertRefused(other, Cursor.format(CHILDREN, LAST_CHILD));
      assertRefused(other, Cursor.format(CONFIGS, LAST_CONFIG));
      String cursor =
          Cursor.format(
              other, key("PK", "p", "SK", "s", "GSI1SK", "CHILD#y", "GSI3SK", "BUCKET#y"));
      assertRefused(CHILDREN, cursor);
      assertRefused(CONFIGS, cursor);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "!!", "AAAA", "AAAAAAAA", "null", "\n"})
  void parse_noCursor_isRefused(String cursor) {
    assertRefused(CHILDREN, cursor);
    assertRefused(ALL, cursor);
  }

  @Test
  void parse_mangledCursor_isRefused() {
    byte[] good = Base64.getUrlDecoder().decode(Cursor.format(CHILDREN, LAST_CHILD));
    for (int seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      assertRefused(CHILDREN, Base64.getUrlEncoder().withoutPadding().encodeToString(bad));
    }
    String text = Cursor.format(CHILDREN, LAST_CHILD);
    for (int length = 0; length < text.length(); length++) {
      assertRefused(CHILDREN, text.substring(0, length));
    }
    assertRefused(CHILDREN, text + "AAAA");
  }

  /** Even a forged one stays in the partition of its listing. */
  @Test
  void parse_partitionOfAQuery_isThatOfTheListing() {
    Map<String, AttributeValue> foreign =
        key("PK", "b/ENTITY#y", "SK", "#META", "GSI1PK", "b/PARENT#x", "GSI1SK", "CHILD#y");
    assertThat(Cursor.parse(CHILDREN, Cursor.format(CHILDREN, foreign)))
        .containsEntry("GSI1PK", AttributeValue.fromS("a/PARENT#x"));
  }

  @Test
  void parse_sortKeyOutsideTheListing_isRefused() {
    assertRefused(CONFIGS, Cursor.format(CONFIGS, key("PK", "a/ENTITY#x", "SK", "#META")));
  }

  private static void assertRefused(ListingPlan plan, String cursor) {
    assertThatThrownBy(() -> Cursor.parse(plan, cursor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cursor '" + cursor + "' is none, or one of another listing");
  }

  private static Map<String, AttributeValue> key(String... namesAndValues) {
    Map<String, AttributeValue> key = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      key.put(namesAndValues[i], AttributeValue.fromS(namesAndValues[i + 1]));
    }
    return key;
  }
}
