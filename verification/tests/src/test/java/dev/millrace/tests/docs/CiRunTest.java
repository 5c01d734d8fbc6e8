package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/run} in a repository of one commit, with a Maven that only says what it sees. */
class CiRunTest {
  @TempDir private Path directory;
  private Path root;

  @BeforeEach
  void makeRepository() throws Exception {
    root = Files.createDirectories(directory.resolve("beside/checkout"));
    Files.createDirectory(root.resolveSibling("other"));
    Files.copy(Repository.root().resolve("README.md"), root.resolve("README.md"));
    Files.copy(
        Repository.root().resolve(".ci/run"),
        Files.createDirectory(root.resolve(".ci")).resolve("run"),
        StandardCopyOption.COPY_ATTRIBUTES);
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "One");
    Files.createDirectory(directory.resolve("home"));
    maven("exit 0");
  }

  @Test
  void run_isTheReadmesTestCommandInAnEmptyPlace() throws Exception {
    FakeCheckout.Run run = run();

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> seen = run.out().lines().toList();
    assertThat(seen.get(0)).isEqualTo("arguments: -B -ntp verify");
    Path clone = Path.of(seen.get(1).replace("place: ", ""));
    assertThat(clone.startsWith(directory.resolve("temporary"))).isTrue();
    assertThat(seen.get(2)).isEqualTo("beside: millrace");
    assertThat(seen.get(3)).isEqualTo("options: ");
    assertThat(clone.getParent()).as("cleaned up").doesNotExist();
  }

  @Test
  void run_changesThatAreNotCommitted_areLeftOutAndSaid() throws Exception {
    Files.writeString(root.resolve("new.txt"), "");
    maven("ls new.txt && exit 1 || exit 0");

    FakeCheckout.Run run = run();

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.err()).contains("what is not committed is not tested");
  }

  @Test
  void run_failingTests_failsWithTheirExitCode() throws Exception {
    maven("exit 3");

    assertThat(run().exitCode()).isEqualTo(3);
  }

  @Test
  void run_modulesInTheLocalRepository_areNotSeen() throws Exception {
    Path repository = directory.resolve("home/.m2/repository");
    Files.createDirectories(repository.resolve("dev/millrace/millrace-core"));
    Files.createDirectories(repository.resolve("dev/langchain4j"));
    Files.createDirectories(repository.resolve("org/junit"));
    maven("repository=${MAVEN_OPTS#*-Dmaven.repo.local=}; ls \"$repository\" \"$repository/dev\"");

    FakeCheckout.Run run = run();

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).contains("they are not used");
    assertThat(run.out()).contains("\ndev\norg\n").contains("\nlangchain4j\n");
    assertThat(run.out().lines().skip(4)).doesNotContain("millrace");
    assertThat(repository.resolve("dev/millrace/millrace-core")).exists();
  }

  /** A Maven that tells its arguments and its place, and then does that. */
  private void maven(String then) throws IOException {
    Path mvn = Files.createDirectories(directory.resolve("bin")).resolve("mvn");
    Files.writeString(
        mvn,
        """
        #!/usr/bin/env bash
        echo "arguments: $*"
        echo "place: $PWD"
        echo "beside:" $(ls ..)
        echo "options: ${MAVEN_OPTS:-}"
        %s
        """
            .formatted(then));
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private FakeCheckout.Run run() throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(root.resolve(".ci/run").toString());
    builder.environment().remove("MAVEN_OPTS");
    builder.environment().put("HOME", directory.resolve("home").toString());
    builder
        .environment()
        .put("TMPDIR", Files.createDirectories(directory.resolve("temporary")).toString());
    builder
        .environment()
        .merge("PATH", directory.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    return FakeCheckout.end(builder.start());
  }

  private void git(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(args));
    FakeCheckout.Run run = FakeCheckout.end(new ProcessBuilder(command).start());
    assertThat(run.exitCode()).as(run.err()).isZero();
  }
}
