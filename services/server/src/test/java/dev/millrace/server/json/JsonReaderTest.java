package dev.millrace.server.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonReaderTest {
  @Test
  void object_ofEveryKindOfField_isRead() {
    JsonFields fields =
        read(
            "{\"text\":\"ü\",\"whole\":-7,\"flag\":true,\"wait\":\"PT1M\","
                + "\"numbers\":{\"a\":1,\"b\":2},\"objects\":[{\"x\":1}],\"nothing\":null}");
    assertThat(fields.text("text")).isEqualTo("ü");
    assertThat(fields.whole("whole")).isEqualTo(-7);
    assertThat(fields.flag("flag", false)).isTrue();
    assertThat(fields.durationOrNull("wait")).isEqualTo(Duration.ofMinutes(1));
    assertThat(fields.numbersOrNull("numbers", 2)).isEqualTo(Map.of("a", 1L, "b", 2L));
    assertThat(fields.objects("objects", 1).get(0).whole("x")).isEqualTo(1);
    assertThat(fields.textOrNull("nothing")).isNull();
    fields.done();
  }

  @Test
  void done_fieldThatNobodyAskedFor_isRefusedByName() {
    JsonFields fields = read("{\"entity\":\"a\",\"resuorce\":\"b\"}");
    fields.text("entity");
    fields.textOrNull("resource");
    assertThatThrownBy(fields::done)
        .hasMessageContaining("'resuorce' is not known here; known are [entity, resource]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          ~~                  | must be a JSON object
          []                  | must be a JSON object
          {"a":1              | is not JSON
          {"a":1}x            | is not JSON
          {"a":1}{}           | goes on after
          {"a":1,"a":2}       | 'a' is given twice
          {"b":{"c":1,"c":1}} | 'b.c' is given twice
          {"a":NaN}           | is not JSON
          {"a":1.5}           | 'a' is 1.5, must be a whole number
          {"a":1e3}           | 'a' is 1e3, must be a whole number
          {"a":9223372036854775808} | must be a whole number of at most 64 bits
          {"a":"1"}           | 'a' is '1', must be a whole number
          {"a":{}}            | 'a' is an object, must be a whole number
          {"b":1}             | 'a' is missing
          """)
  void object_thatCannotBe_isRefusedWithTheReason(String text, String reason) {
    assertThatThrownBy(() -> read(text).whole("a"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void object_beyondTheLimits_isRefusedBriefly() {
    String deep = "{\"a\":" + "[".repeat(40) + "]".repeat(40) + "}";
    String digits = "{\"a\":" + "1".repeat(100) + "}";
    String name = "{\"" + "n".repeat(600) + "\":1}";
    for (String text : new String[] {deep, digits, name}) {
      assertThatThrownBy(() -> read(text))
          .hasMessageContaining("nested deeper than 32")
          .message()
          .hasSizeLessThan(400);
    }
    assertThatThrownBy(() -> read("{\"a\":\"" + "v".repeat(500) + "\"}").whole("a"))
        .message()
        .hasSizeLessThan(400);
  }

  @Test
  void object_notUtf8_isRefused() {
    byte[] overlong = {'{', '"', (byte) 0xc0, (byte) 0x80, '"', ':', '1', '}'};
    assertThatThrownBy(() -> JsonReader.object(overlong)).hasMessageContaining("not UTF-8");
    byte[] utf16 = "{\"a\":1}".getBytes(StandardCharsets.UTF_16);
    assertThatThrownBy(() -> JsonReader.object(utf16)).isInstanceOf(ProblemException.class);
  }

  private static JsonFields read(String text) {
    return JsonReader.object(text.getBytes(StandardCharsets.UTF_8));
  }
}
