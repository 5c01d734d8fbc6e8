package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/release/updates} with a Maven that finds what the test says. */
class UpdatesTest {
  private static final String NOTHING =
      "[INFO] No dependencies in Dependencies have newer versions.";

  private static final String NETTY =
      "[INFO]   io.netty:netty-bom ...................... 4.2.18.Final -> 4.2.20.Final";

  /** As Maven prints what does not fit into a line. */
  private static final String BOOT =
      """
      [INFO]   org.springframework.boot:spring-boot-starter-actuator ...
      [INFO]                                                           4.1.1 -> 4.1.2""";

  @TempDir private Path directory;
  private Path root;

  @BeforeEach
  void makeCheckout() throws IOException {
    root = directory.resolve("checkout");
    Files.createDirectories(root.resolve("tools/release"));
    Files.copy(
        Repository.root().resolve("tools/release/updates"),
        root.resolve("tools/release/updates"),
        StandardCopyOption.COPY_ATTRIBUTES);
    held("# nothing");
  }

  @Test
  void updates_nothingNewer_isFine() throws Exception {
    FakeCheckout.Run run = run(NOTHING, NOTHING);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .isEqualTo("updates: every version is the newest patch of its line that can be taken\n");
  }

  @Test
  void updates_newerPatches_failAndAreNamed() throws Exception {
    FakeCheckout.Run run = run(NETTY + "\n" + BOOT, NOTHING);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out().lines())
        .containsExactly(
            "newer: io.netty:netty-bom 4.2.18.Final -> 4.2.20.Final",
            "newer: org.springframework.boot:spring-boot-starter-actuator 4.1.1 -> 4.1.2");
  }

  @Test
  void updates_newerPatchOfTheEngine_fails() throws Exception {
    assertThat(run(NOTHING, NETTY).exitCode()).isEqualTo(1);
  }

  @Test
  void updates_newerPatchThatIsHeld_isSaidWithTheReason() throws Exception {
    held("io.netty:* 4.2.20.Final it is not whole");

    FakeCheckout.Run run = run(NETTY, NOTHING);

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .startsWith(
            "held:  io.netty:netty-bom 4.2.18.Final, although there is 4.2.20.Final: it is not whole\n");
  }

  @Test
  void updates_patchAfterTheOneThatIsHeld_fails() throws Exception {
    held("io.netty:netty-bom 4.2.19.Final it is not whole");

    FakeCheckout.Run run = run(NETTY, NOTHING);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out().lines())
        .containsExactly(
            "newer: io.netty:netty-bom 4.2.18.Final -> 4.2.20.Final",
            "held for nothing: io.netty:netty-bom 4.2.19.Final (it is not whole)");
  }

  @Test
  void updates_mavenFails_saysSo() throws Exception {
    maven("echo 'the mirror is down'; exit 1");

    FakeCheckout.Run run = run();

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("the mirror is down", "could not compare the versions of pom.xml");
  }

  /** Every line that is held in this checkout names a pattern, a version and a reason. */
  @Test
  void held_everyLine_hasAReason() throws IOException {
    assertThat(Repository.read("tools/release/updates.held").lines())
        .filteredOn(line -> !line.startsWith("#"))
        .allMatch(line -> line.matches("[\\w.-]+:[\\w.*-]+ \\S+ \\S+ .+"));
  }

  private void held(String lines) throws IOException {
    Files.writeString(root.resolve("tools/release/updates.held"), lines + "\n");
  }

  private FakeCheckout.Run run(String ofTheProject, String ofTheEngine)
      throws IOException, InterruptedException {
    maven(
        "case $* in *engine-pom.xml*) echo '%s' ;; *) echo '%s' ;; esac"
            .formatted(ofTheEngine, ofTheProject));
    return run();
  }

  private FakeCheckout.Run run() throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(root.resolve("tools/release/updates").toString());
    builder
        .environment()
        .merge("PATH", directory.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    return FakeCheckout.end(builder.start());
  }

  private void maven(String does) throws IOException {
    Path mvn = Files.createDirectories(directory.resolve("bin")).resolve("mvn");
    Files.writeString(mvn, "#!/usr/bin/env bash\n" + does + "\n");
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
