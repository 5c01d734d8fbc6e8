package dev.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With scripts in Maven's place: what is under test is what we make of its answers. */
final class EngineClasspathTest {

  @TempDir private Path directory;

  private final List<String> progress = new ArrayList<>();

  @BeforeEach
  void useOwnCache() {
    System.setProperty(EngineClasspath.CACHE_PROPERTY, directory.resolve("cache").toString());
  }

  @AfterEach
  void restore() {
    System.clearProperty(EngineClasspath.CACHE_PROPERTY);
    System.clearProperty(EngineClasspath.MAVEN_PROPERTY);
  }

  @Test
  void resolve_twice_fetchesOnce() throws IOException {
    Path jar = Files.createFile(directory.resolve("engine.jar"));
    useMavenThatFinds(jar);

    assertThat(EngineClasspath.resolve(progress::add)).isEqualTo(jar.toString());
    assertThat(EngineClasspath.resolve(progress::add)).isEqualTo(jar.toString());

    assertThat(progress)
        .containsExactly("Fetching DynamoDB Local 3.3.1 with Maven (once, about 50 MB) …");
  }

  @Test
  void resolve_whileItFetches_tellsHowFarItIs() throws IOException {
    Path jar = Files.createFile(directory.resolve("engine.jar"));
    useMaven(
        "for i in $(seq 60); do echo \"Downloaded from anywhere: /$i.jar (1 kB at 1 kB/s)\"; done; "
            + answer(jar));

    EngineClasspath.resolve(progress::add);

    assertThat(progress).hasSize(3).endsWith("  25 files fetched", "  50 files fetched");
  }

  @Test
  void resolve_jarGone_fetchesAgain() throws IOException {
    Path jar = Files.createFile(directory.resolve("engine.jar"));
    useMavenThatFinds(jar);
    EngineClasspath.resolve(progress::add);
    Files.delete(jar);
    Path other = Files.createFile(directory.resolve("other.jar"));
    useMavenThatFinds(other);

    assertThat(EngineClasspath.resolve(progress::add)).isEqualTo(other.toString());
    assertThat(progress).hasSize(2);
  }

  @Test
  void resolve_manyThreads_fetchOnce() throws IOException {
    Path jar = Files.createFile(directory.resolve("engine.jar"));
    Path runs = directory.resolve("runs");
    useMaven("echo run >> '%s'; %s".formatted(runs, answer(jar)));

    IntStream.range(0, 8).parallel().forEach(i -> EngineClasspath.resolve(line -> {}));

    assertThat(runs).hasContent("run");
  }

  @Test
  void resolve_done_leavesOnlyTheResult() throws IOException {
    useMavenThatFinds(Files.createFile(directory.resolve("engine.jar")));

    EngineClasspath.resolve(progress::add);

    try (Stream<Path> files = Files.list(directory.resolve("cache"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .hasSize(2)
          .allMatch(name -> name.endsWith(".classpath") || name.endsWith(".lock"));
    }
  }

  @Test
  void resolve_mavenFails_saysWhyAndWhatToDo() throws IOException {
    useMaven("echo 'the mirror is down'; exit 7");

    assertThatThrownBy(() -> EngineClasspath.resolve(progress::add))
        .isInstanceOf(EmbeddedEngineException.class)
        .hasMessageContaining("ended with status 7")
        .hasMessageContaining("the mirror is down")
        .hasMessageContaining("then start again")
        .hasMessageContaining("-Dmillrace.engine.maven=");
  }

  @Test
  void resolve_noMaven_saysHowToNameOne() {
    System.setProperty(EngineClasspath.MAVEN_PROPERTY, "/no/such/mvn");

    assertThatThrownBy(() -> EngineClasspath.resolve(progress::add))
        .isInstanceOf(EmbeddedEngineException.class)
        .hasMessageContaining("Could not run '/no/such/mvn'")
        .hasMessageContaining("-Dmillrace.engine.maven=");
  }

  @Test
  void resolve_cacheIsAFile_saysHowToNameAnother() throws IOException {
    Files.createFile(directory.resolve("cache"));

    assertThatThrownBy(() -> EngineClasspath.resolve(progress::add))
        .isInstanceOf(EmbeddedEngineException.class)
        .hasMessageContaining("Could not use the cache directory")
        .hasMessageContaining("-Dmillrace.engine.cache");
  }

  @Test
  void pom_pinsTheVersionWeName_andNoRepository() throws IOException {
    try (InputStream resource = EngineClasspath.class.getResourceAsStream("engine-pom.xml")) {
      assertThat(resource).isNotNull();
      String pom = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(pom)
          .contains("<version>" + EngineClasspath.ENGINE_VERSION + "</version>")
          .doesNotContain("<repositor");
    }
  }

  private void useMavenThatFinds(Path jar) throws IOException {
    useMaven(answer(jar));
  }

  /** Shell code that writes the class path to where the last argument says. */
  private static String answer(Path jar) {
    return "for last; do :; done; printf '%%s' '%s' > \"${last#-Dmdep.outputFile=}\""
        .formatted(jar);
  }

  private void useMaven(String shellCode) throws IOException {
    Path script = Files.writeString(directory.resolve("mvn"), "#!/bin/sh\n" + shellCode + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    System.setProperty(EngineClasspath.MAVEN_PROPERTY, script.toString());
  }
}
