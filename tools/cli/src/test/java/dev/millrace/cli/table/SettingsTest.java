package dev.millrace.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The option, then the environment, then the profile, then the default. */
class SettingsTest {
  @TempDir private Path home;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void profiles() throws IOException {
    Path directory = Files.createDirectories(home.resolve(".config/millrace"));
    Files.writeString(
        directory.resolve("profiles"),
        """
        # ours
        [prod]
        table = prod-limits
        region = eu-central-1
        namespace = tenants

        [local]
        endpoint = http://127.0.0.1:8000
        """);
  }

  private Settings resolve(
      @Nullable String table, @Nullable String embedded, @Nullable String profile) {
    Map<String, @Nullable String> options = new HashMap<>();
    options.put("table", table);
    options.put("embedded", embedded);
    options.put("profile", profile);
    return Settings.resolve(
        options, new Surroundings(environment, home, question -> Optional.empty(), false));
  }

  @Test
  void nothing_isTheDefault() {
    Settings settings = resolve(null, null, null);

    assertThat(settings.table()).isEqualTo("limits");
    assertThat(settings.namespace()).isEqualTo("default");
    assertThat(settings.endpoint()).isNull();
    assertThat(settings.region()).isNull();
    assertThat(settings.embedded()).isNull();
    assertThat(settings.actor()).isEqualTo(System.getProperty("user.name"));
  }

  @Test
  void everyStep_isStrongerThanTheNext() {
    assertThat(resolve(null, null, "prod").table()).isEqualTo("prod-limits");
    environment.put("MILLRACE_TABLE", "from-environment");
    assertThat(resolve(null, null, "prod").table()).isEqualTo("from-environment");
    assertThat(resolve("from-option", null, "prod").table()).isEqualTo("from-option");
    assertThat(resolve("from-option", null, "prod").namespace()).isEqualTo("tenants");
  }

  @Test
  void profile_fromTheEnvironment_andAFileFromThere() throws IOException {
    environment.put("MILLRACE_PROFILE", "other");
    environment.put("MILLRACE_PROFILES", home.resolve("mine").toString());
    Files.writeString(home.resolve("mine"), "[other]\nactor = robot\n");

    assertThat(resolve(null, null, null).actor()).isEqualTo("robot");
    assertThat(resolve(null, null, "other").actor()).isEqualTo("robot");
  }

  @Test
  void embeddedAndEndpoint_theOptionWins_equalsAreRefused() {
    assertThat(resolve(null, "state", "local").endpoint()).isNull();
    environment.put("MILLRACE_EMBEDDED", "state");
    assertThatThrownBy(() -> resolve(null, null, "local"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("not both");
  }

  @Test
  void badProfiles_areRefusedWithTheirLine() throws IOException {
    environment.put("MILLRACE_PROFILES", home.resolve("bad").toString());
    refused("table = x\n", "line 1", "must come first");
    refused("[p]\ntabel = x\n", "line 2", "tabel", "one of");
    refused("[p]\ntable = x\ntable = y\n", "line 3", "twice");
    refused("[p]\n[p]\n", "line 2", "twice");
    refused("[q]\n", "'p' is not in", "[q]");
    refused("[p]\nendpoint = nonsense\n", "nonsense", "http://");
    Files.delete(home.resolve("bad"));
    assertThatThrownBy(() -> resolve(null, null, "p")).hasMessageContaining("cannot be read");
  }

  private void refused(String text, String... parts) throws IOException {
    Files.writeString(home.resolve("bad"), text);
    assertThatThrownBy(() -> resolve(null, null, "p"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContainingAll(parts);
  }
}
