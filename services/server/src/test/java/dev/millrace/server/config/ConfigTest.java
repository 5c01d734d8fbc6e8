package dev.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {
  @TempDir private Path directory;

  @Test
  void resolve_everywhere_theStrongestHolds() throws IOException {
    Path file = file("port: 1\ntable: from-file\nlease-ttl: PT10S\nlease-secret: 0123456789abcdef");
    Config config =
        config(
            file,
            Map.of("MILLRACE_PORT", "2", "MILLRACE_TABLE", "from-environment"),
            Map.of("--port", "3"));
    assertThat(config.number(ConfigKey.PORT, 0, 9)).isEqualTo(3);
    assertThat(config.text(ConfigKey.TABLE)).isEqualTo("from-environment");
    assertThat(config.duration(ConfigKey.LEASE_TTL, Duration.ZERO, Duration.ofMinutes(1)))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(config.lines())
        .contains(
            "port: 3  # flag --port",
            "table: from-environment  # environment MILLRACE_TABLE",
            "lease-ttl: PT10S  # file " + file,
            "host: 127.0.0.1  # default",
            "lease-secret: (hidden)  # file " + file,
            "endpoint: (not set)");
  }

  @Test
  void resolve_fileWithAnUnknownKey_isRefusedByName() throws IOException {
    Path file = file("prot: 80");
    assertThatThrownBy(() -> config(file, Map.of(), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'prot' is not known here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --port            | 70000        | port '70000' (flag --port) must be a whole number from 0 to 65535
          --port            | x            | must be a whole number
          --request-timeout | PT1S         | must be a duration from PT6S to PT10M
          --lease-ttl       | PT2H         | must be a duration from PT0.1S to PT1H
          --on-expiry       | lose         | must be one of [KEEP, REFUND]
          --tls-key         | key.pem      | must be given both
          --advertise       | http://x/    | advertise needs lease-secret
          --lease-secret    | short        | must have at least 16
          --max-leases      | 0            | must be a whole number from 1
          """)
  void settled_valueThatCannotBe_isRefusedWithKeyValueOriginAndRule(
      String flag, String value, String reason) throws IOException {
    Config config = config(null, Map.of(), Map.of(flag, value));
    assertThatThrownBy(() -> ServerSettings.of(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void settled_defaults_areGood() {
    ServerSettings settings = ServerSettings.of(config(null, Map.of(), Map.of()));
    assertThat(settings.network().address().getPort()).isEqualTo(8080);
    assertThat(settings.network().requestTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.keys()).isNull();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("server.yaml"), text);
  }

  private static Config config(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return Config.resolve(file, environment::get, flags::get);
  }
}
