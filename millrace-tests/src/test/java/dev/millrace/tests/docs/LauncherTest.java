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
  private static final String BUILD =
      "-B -q -ntp -Dmaven.test.skip=true -pl millrace-cli -am package";
  private static final String BUILDING = "Building Millrace (once, about a minute) …";

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
    assertThat(run.err().strip()).isEqualTo(BUILDING);
    assertThat(checkout.builds()).containsExactly(BUILD);
    assertThat(run.out()).endsWith("[dev.millrace.cli.Millrace]\n[demo]\n[two words]\n");
    assertThat(run.out()).contains("a checkout/millrace-cli/target/classes:");
  }

  @ParameterizedTest
  @CsvSource({
    "bench, millrace-benchmarks",
    "bench http, millrace-proving",
    "fuzz http, millrace-proving",
    "envoy check, millrace-server",
    "soak, millrace-proving",
    "simulate, millrace-proving",
    "check, millrace-deploy",
    "up, millrace-server"
  })
  void run_commandOfAnotherModule_buildsThatModule(String command, String module) throws Exception {
    checkout.maven("0", "printf %s \"$PWD/pom.xml\" >" + module + "/target/millrace.classpath");

    FakeCheckout.Run run = checkout.run(checkout.launcher(), command.split(" ", -1));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(checkout.builds()).containsExactly(BUILD.replace("millrace-cli", module));
    assertThat(run.out()).contains("a checkout/" + module + "/target/classes:");
  }

  @Test
  void example_neverBuilt_buildsItsModuleAndRunsItsMain() throws Exception {
    Path run = checkout.example("two-regions", "What it shows.");
    checkout.maven(
        "0", "printf %s \"$PWD/pom.xml\" >examples/two-regions/target/millrace.classpath");

    FakeCheckout.Run first = checkout.run(run, "two-regions", "--once");
    FakeCheckout.Run second = checkout.run(run, "two-regions", "--once");

    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).endsWith("[dev.millrace.examples.tworegions.Main]\n[--once]\n");
    assertThat(second.out()).isEqualTo(first.out());
    assertThat(checkout.builds())
        .containsExactly(BUILD.replace("millrace-cli", "examples/two-regions"));
  }

  @Test
  void example_sourceOfItChanged_buildsAgain() throws Exception {
    Path run = checkout.example("batch", "What it shows.");
    checkout.maven("0", "printf %s \"$PWD/pom.xml\" >examples/batch/target/millrace.classpath");
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
  @ValueSource(strings = {"unknown", "", "../millrace-cli", "."})
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
    Files.writeString(checkout.classpath(), "/nowhere/gone.jar");

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
    checkout.maven("2", "printf %s \"$PWD/pom.xml\" >millrace-cli/target/millrace.classpath");
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
