package dev.millrace.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The content of a mapping file, and the problem for each mistake. */
class MappingReaderTest {
  private static final Path FILES = Path.of("src/test/resources/dev/millrace/server/envoy");
  private static final String EXPECTED = "# expected: ";

  static List<Path> bad() throws IOException {
    try (Stream<Path> files = Files.list(FILES.resolve("bad"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("bad")
  void check_fileWithOneMistake_saysWhereAndWhich(Path file) throws IOException {
    String first = Files.readAllLines(file).get(0);
    assertThat(first).startsWith(EXPECTED);
    assertThatThrownBy(() -> MappingReader.read(file))
        .isInstanceOf(MappingException.class)
        .hasMessageContaining(file + ": line ")
        .hasMessageContaining(first.substring(EXPECTED.length()))
        .message()
        .hasLineCount(1);
  }

  @Test
  void check_goodFile_readsEverything() {
    EnvoyMapping mapping = MappingReader.read(FILES.resolve("mapping.yaml"));
    assertThat(mapping.onUnknown()).isEqualTo(EnvoyMapping.UnknownPolicy.ALLOW);
    assertThat(mapping.nearRatio()).isEqualTo(0.8);
    assertThat(mapping.domains()).containsOnlyKeys("edge", "closed");
    EnvoyMapping.Rule rule = Objects.requireNonNull(mapping.domains().get("edge")).rules().get(1);
    assertThat(rule.name()).isEqualTo("per-model");
    assertThat(rule.match())
        .containsExactly(
            new EnvoyMapping.EntryMatch("tenant", null),
            new EnvoyMapping.EntryMatch("model", "gpt-*"));
    assertThat(rule.charges())
        .containsExactly(new EnvoyMapping.Charge("tpm", null), new EnvoyMapping.Charge("rpm", 1L));
    assertThat(rule.shadow()).isFalse();
    assertThat(rule.onUnavailable()).isEqualTo(EnvoyMapping.FailurePolicy.FAIL);
  }

  @Test
  void read_moreRulesThanThereMayBe_isRefused() {
    StringBuilder text = new StringBuilder("version: 1\ndomains:\n  edge:\n    rules:\n");
    for (int i = 0; i <= MappingReader.MAX_RULES; i++) {
      text.append(
          "      - {name: r%d, match: [{key: k}], entity: e, resource: r, consume: {rpm: 1}}\n"
              .formatted(i));
    }
    assertThatThrownBy(() -> MappingReader.read("m.yaml", text.toString()))
        .hasMessageContaining("is one too many: at most 500 in a file");
  }
}
