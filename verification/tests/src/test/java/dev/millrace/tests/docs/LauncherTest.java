package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two commands that the README names, and what the launcher decides. */
class LauncherTest {
  private static final String TEST_COMMAND = "mvn -B -ntp verify";
  private static final String UP_COMMAND = "./millrace up";
  private static final String BUILDING =
      "Building what 'demo' needs (the first time in two to three minutes, most of it downloads) …";

  /** Modules that only tests use, as most commands leave them out. */
  private static final String TESTS_ONLY = ":millrace-vectors,!:millrace-testkit";

  private static final String LOG = "millrace-build.log";

  /** What Maven prints, in part. */
  private static final String MAVEN_OUTPUT =
      """
      echo 'Downloading from anywhere: https://example.com/a/b-1.pom'
      echo 'Downloaded from anywhere: https://example.com/a/b-1.pom (2.9 kB at 17 kB/s)'
      echo '[INFO] Building millrace-core 1                                   [1/2]'
      echo 'Downloaded from anywhere: https://example.com/a/b-1.jar (345 B at 17 kB/s)'
      echo 'Downloaded from anywhere: https://example.com/a/c-1.jar (5.7 MB at 1.2 MB/s)'
      echo '[INFO] Building millrace-cli 1                                    [2/2]'
      echo '[INFO] Compiling 77 source files'
      """;

  @TempDir private Path directory;
  private FakeCheckout checkout;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = new FakeCheckout(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"millrace", ".ci/run", "examples/run"})
  void script_isExecutableBash(String script) throws Exception {
    Path path = Repository.root().resolve(script);

    assertThat(Files.isExecutable(path)).isTrue();
    assertThat(Files.readAllLines(path)).startsWith("#!/usr/bin/env bash");
    assertThat(Files.readAllLines(path)).contains("set -euo pipefail");
    Process check = new ProcessBuilder("bash", "-n", path.toString()).start();
    assertThat(FakeCheckout.end(check)).isEqualTo(new FakeCheckout.Run(0, "", ""));
  }

  @Test
  void readme_namesBothCommands() throws IOException {
    List<String> block =
        Markdown.blocks(Repository.read("README.md"), "sh").get(0).lines().toList();

    assertThat(block).hasSize(2);
    assertThat(block.get(0)).startsWith(UP_COMMAND + " ");
    assertThat(block.get(1)).startsWith(TEST_COMMAND + " ");
  }

  @Test
  void run_neverBuilt_buildsAndPassesTheArguments() throws Exception {
    FakeCheckout.Run run = checkout.run(checkout.launcher(), "demo", "two words");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err().lines()).first().isEqualTo(BUILDING);
    assertThat(checkout.builds()).containsExactly(build("millrace-cli", "tools/cli", TESTS_ONLY));
    assertThat(run.out()).endsWith("[dev.millrace.cli.Millrace]\n[demo]\n[two words]\n");
    assertThat(run.out()).contains("[-cp]\n[" + checkout.root() + "/pom.xml]\n");
  }

  /** The artifact of a module: the name of its directory with the prefix of all. */
  private static String artifact(String module) {
    return "millrace-" + module.substring(module.indexOf('/') + 1);
  }

  /** What Maven is asked: the module with what it runs with, and nothing that only tests use. */
  private String build(String artifact, String module, String leftOut) {
    return "-B -Plauncher -Dlaunched.artifact=%s -Dlaunched.classpath=%s -pl :millrace-launcher,!%s -am compile"
        .formatted(artifact, checkout.classpath(module), leftOut);
  }

  @Test
  void build_outputOfMaven_isToldAsProgressLineByLine() throws Exception {
    checkout.maven("0", MAVEN_OUTPUT + FakeCheckout.BUILT);

    FakeCheckout.Run run = checkout.run(checkout.launcher(), "demo");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err().replaceAll("\\b[0-9]+ s\\b", "N s").lines())
        .containsExactly(
            BUILDING,
            "  looking for what is missing (1 files downloaded, 0 MB, N s)",
            "  module 1 of 2, millrace-core (1 files downloaded, 0 MB, N s)",
            "  module 2 of 2, millrace-cli (3 files downloaded, 5 MB, N s)",
            "  built in N s; 3 files downloaded, 5 MB");
    assertThat(
            Files.readString(
                checkout.classpath("tools/cli").resolveSibling("launcher").resolve(LOG)))
        .as("the log")
        .contains("Downloaded from anywhere", "Building millrace-cli 1");
  }

  @Test
  void build_onATerminal_progressIsOneLineThatChanges() throws Exception {
    checkout.maven("0", MAVEN_OUTPUT + FakeCheckout.BUILT);

    FakeCheckout.Run run = checkout.runOnTerminal(checkout.launcher(), "demo");

    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out().split("\r\\u001b\\[K", -1))
        .as("each download and each module")
        .hasSize(1 + 3 + 2 + 1);
    assertThat(run.out())
        .contains("\r\u001b[K  module 1 of 2, millrace-core (2 files downloaded, 0 MB, ")
        .contains("\r\u001b[K  module 2 of 2, millrace-cli (3 files downloaded, 5 MB, ");
  }

  @ParameterizedTest
  @CsvSource({
    "bench, verification/benchmarks, :millrace-vectors",
    "bench http, verification/proving, :millrace-vectors",
    "fuzz http, verification/proving, :millrace-vectors",
    "envoy check, tools/cli-services, '" + TESTS_ONLY + "'",
    "soak, verification/proving, :millrace-vectors",
    "simulate, verification/proving, :millrace-vectors",
    "check, tools/cli-deploy, '" + TESTS_ONLY + "'",
    "worker, tools/cli-services, '" + TESTS_ONLY + "'",
    "up, tools/cli-services, '" + TESTS_ONLY + "'"
  })
  void run_commandOfAnotherModule_buildsThatModule(String command, String module, String leftOut)
      throws Exception {
    FakeCheckout.Run run = checkout.run(checkout.launcher(), command.split(" ", -1));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(checkout.builds()).containsExactly(build(artifact(module), module, leftOut));
    assertThat(checkout.classpath(module)).exists();
  }

  @Test
  void example_neverBuilt_buildsItsModuleAndRunsItsMain() throws Exception {
    Path run = checkout.example("two-regions", "What it shows.");
    FakeCheckout.Run first = checkout.run(run, "two-regions", "--once");
    FakeCheckout.Run second = checkout.run(run, "two-regions", "--once");

    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).endsWith("[dev.millrace.examples.tworegions.Main]\n[--once]\n");
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(checkout.builds())
        .containsExactly(
            build("millrace-example-two-regions", "examples/two-regions", ":millrace-vectors"));
  }

  @Test
  void example_sourceOfItChanged_buildsAgain() throws Exception {
    Path run = checkout.example("batch", "What it shows.");
    checkout.run(run, "batch");
    FakeCheckout.touchLater(run.resolveSibling("batch/pom.xml"));

    checkout.run(run, "batch");

    assertThat(checkout.builds()).hasSize(2);
  }

  @Test
  void example_withoutAName_listsThem() throws Exception {
    checkout.example("batch", "A job.");
    Path run = checkout.example("two-regions", "One quota.");

    FakeCheckout.Run list = checkout.run(run);

    assertThat(list.exitCode()).as(list.err()).isZero();
    assertThat(list.out()).endsWith("  batch        A job.\n  two-regions  One quota.\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknown", "", "../tools/cli", "."})
  void example_thatIsNone_saysSo(String name) throws Exception {
    Path run = checkout.example("batch", "A job.");

    FakeCheckout.Run refused = checkout.run(run, name);

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("there is no example '" + name + "'");
    assertThat(checkout.builds()).isEmpty();
  }

  @Test
  void run_builtAlready_doesNotBuild() throws Exception {
    checkout.run(checkout.launcher(), "demo");

    FakeCheckout.Run run = checkout.run(checkout.launcher(), "demo");

    assertThat(run.err()).isEmpty();
    assertThat(checkout.builds()).hasSize(1);
  }

  @Test
  void run_sourceChanged_buildsAgain() throws Exception {
    checkout.run(checkout.launcher(), "demo");
    FakeCheckout.touchLater(checkout.source());

    checkout.run(checkout.launcher(), "demo");

    assertThat(checkout.builds()).hasSize(2);
  }

  @Test
  void run_jarGone_buildsAgain() throws Exception {
    checkout.run(checkout.launcher(), "demo");
    Files.writeString(checkout.classpath("tools/cli"), "/nowhere/gone.jar");

    checkout.run(checkout.launcher(), "demo");

    assertThat(checkout.builds()).hasSize(2);
  }

  @Test
  void run_throughLinks_findsItsCheckout() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    Path absolute = Files.createSymbolicLink(other.resolve("one"), checkout.launcher());
    Path relative = Files.createSymbolicLink(directory.resolve("two"), Path.of("other/one"));

    assertThat(checkout.run(absolute, "demo").exitCode()).isZero();
    assertThat(checkout.run(relative, "demo").exitCode()).isZero();
    assertThat(checkout.builds()).hasSize(1);
  }

  @Test
  void run_twoAtOnce_buildOnce() throws Exception {
    checkout.maven("2", FakeCheckout.BUILT);
    Process first = checkout.start(checkout.launcher(), "demo");
    Process second = checkout.start(checkout.launcher(), "demo");

    assertThat(FakeCheckout.end(first).exitCode()).isZero();
    assertThat(FakeCheckout.end(second).exitCode()).isZero();
    assertThat(checkout.builds()).hasSize(FakeCheckout.hasFlock() ? 1 : 2);
  }

  @Test
  void run_buildFails_showsItsOutput() throws Exception {
    checkout.maven("0", "echo 'this is why'; exit 3");

    FakeCheckout.Run run = checkout.run(checkout.launcher(), "demo");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(BUILDING, "this is why", "millrace: the build failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.8", "11", "16"})
  void run_oldJava_saysSo(String version) throws Exception {
    checkout.java(version);

    FakeCheckout.Run run = checkout.run(checkout.launcher(), "demo");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("needs Java 17 or later", "is Java " + version, "JAVA_HOME");
    assertThat(checkout.builds()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "21", "25"})
  void run_newerJava_runs(String version) throws Exception {
    checkout.java(version);

    assertThat(checkout.run(checkout.launcher(), "demo").exitCode()).isZero();
  }

  @Test
  void run_noMaven_saysSo() throws Exception {
    checkout.withoutMaven();

    FakeCheckout.Run run = checkout.run(checkout.launcher(), "demo");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("needs Maven").doesNotContain(BUILDING);
  }
}
