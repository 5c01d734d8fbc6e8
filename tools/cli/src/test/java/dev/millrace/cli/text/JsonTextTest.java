package dev.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  @Test
  void of_nested_isOneLine() {
    Map<String, @Nullable Object> value =
        JsonText.object("a", List.of(1, 2.5, 3.0, true), "b", Map.of(), "c", List.of());

    assertThat(JsonText.of(value)).isEqualTo("{\"a\":[1,2.5,3,true],\"b\":{},\"c\":[]}");
  }

  @Test
  void of_awkwardString_isReadBackTheSame() throws Exception {
    String awkward = "\"quoted\" \\ \n\t\u0001 → é";

    assertThat(new ObjectMapper().readTree(JsonText.of(awkward)).asText()).isEqualTo(awkward);
  }

  @Test
  void of_unknownType_isRefused() {
    assertThatThrownBy(() -> JsonText.of('c')).isInstanceOf(IllegalStateException.class);
  }
}
