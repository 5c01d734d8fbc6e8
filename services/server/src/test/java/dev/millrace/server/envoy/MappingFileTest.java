package dev.millrace.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mapping file that changes while it is used. */
class MappingFileTest {
  private static final String GOOD =
      """
      version: 1
      domains:
        %s:
          rules:
            - {name: a, match: [{key: k}], entity: e, resource: r, consume: {rpm: 1}}
      """;

  /** The test looks itself: a look in the middle of its writing would see half a file. */
  private static final long NEVER_MS = 1_000_000_000;

  @TempDir private Path directory;

  @Test
  void look_changedFile_holdsAtOnceAndIsTold() throws IOException {
    Path file = Files.writeString(directory.resolve("m.yaml"), GOOD.formatted("one"));
    List<Boolean> told = new ArrayList<>();
    try (MappingFile mapping = new MappingFile(file, (now, good) -> told.add(good), NEVER_MS)) {
      mapping.look();
      assertThat(told).isEmpty();
      Files.writeString(file, GOOD.formatted("two"));
      mapping.look();
      assertThat(mapping.mapping().domains()).containsOnlyKeys("two");
      assertThat(told).containsExactly(true);
    }
  }

  @Test
  void look_fileThatBecameBadOrWent_keepsTheOneBeforeAndTellsOnce() throws IOException {
    Path file = Files.writeString(directory.resolve("m.yaml"), GOOD.formatted("one"));
    List<Boolean> told = new ArrayList<>();
    try (MappingFile mapping = new MappingFile(file, (now, good) -> told.add(good), NEVER_MS)) {
      Files.writeString(file, "version: 7");
      mapping.look();
      mapping.look();
      assertThat(told).containsExactly(false);
      Files.delete(file);
      mapping.look();
      mapping.look();
      assertThat(told).containsExactly(false, false);
      assertThat(mapping.mapping().domains()).containsOnlyKeys("one");
      Files.writeString(file, GOOD.formatted("three"));
      mapping.look();
      assertThat(mapping.mapping().domains()).containsOnlyKeys("three");
    }
  }
}
