package dev.millrace.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  private static final Readme README =
      new Readme(
          """
          # Title

          ```sh
          curl -s http://127.0.0.1:80/a -H 'One: 1' \\
            -d '{"two": 2}'
          ls
          curl -si http://127.0.0.1:80/b
          ```

          ```json
          {}
          ```
          """);

  @Test
  void curls_ofAReadme_areThoseOfItsShellBlocks() {
    assertThat(README.curls())
        .containsExactly(
            new Curl(URI.create("http://127.0.0.1:80/a"), Map.of("One", "1"), "{\"two\": 2}"),
            new Curl(URI.create("http://127.0.0.1:80/b"), Map.of(), null));
  }

  @Test
  void blocks_ofOneLanguage_areOnlyThose() {
    assertThat(README.blocks("json")).containsExactly("{}\n");
  }

  @Test
  void parse_unknownOption_isRefused() {
    assertThatThrownBy(() -> Curl.parse("curl --proxy http://127.0.0.1:80/a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--proxy");
  }
}
