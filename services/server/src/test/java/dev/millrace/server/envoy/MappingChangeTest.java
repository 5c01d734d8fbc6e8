package dev.millrace.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.WatchedFile;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mapping file that changes while it is used. */
class MappingChangeTest {
  private static final String GOOD =
      """
      version: 1
      domains:
        %s:
          rules:
            - {name: a, match: [{key: k}], entity: e, resource: r, consume: {rpm: 1}}
      """;

  /** The test calls {@code look} itself: a timer could read half a file. */
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir private Path directory;

  private final MeterRegistry meters = new SimpleMeterRegistry();

  private WatchedFile<EnvoyMapping> watch(Path file) {
    return EnvoyFeature.watch(file, new EnvoyMeters(meters), NEVER);
  }

  private double reloads(String outcome) {
    return meters.get(EnvoyMeters.RELOADS).tags("outcome", outcome).counter().count();
  }

  @Test
  void look_changedFile_holdsAtOnceAndIsTold() throws IOException {
    Path file = Files.writeString(directory.resolve("m.yaml"), GOOD.formatted("one"));
    try (WatchedFile<EnvoyMapping> mapping = watch(file)) {
      mapping.look();
      assertThat(reloads("good")).isZero();
      Files.writeString(file, GOOD.formatted("two"));
      mapping.look();
      assertThat(mapping.value().domains()).containsOnlyKeys("two");
      assertThat(reloads("good")).isEqualTo(1);
    }
  }

  @Test
  void look_fileThatBecameBadOrWent_keepsTheOneBeforeAndTellsOnce() throws IOException {
    Path file = Files.writeString(directory.resolve("m.yaml"), GOOD.formatted("one"));
    try (WatchedFile<EnvoyMapping> mapping = watch(file)) {
      Files.writeString(file, "version: 7");
      mapping.look();
      mapping.look();
      assertThat(reloads("bad")).isEqualTo(1);
      Files.delete(file);
      mapping.look();
      mapping.look();
      assertThat(reloads("bad")).isEqualTo(2);
      assertThat(mapping.value().domains()).containsOnlyKeys("one");
      Files.writeString(file, GOOD.formatted("three"));
      mapping.look();
      assertThat(mapping.value().domains()).containsOnlyKeys("three");
    }
  }
}
