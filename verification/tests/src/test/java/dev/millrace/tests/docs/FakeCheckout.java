package dev.millrace.tests.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The launcher in a checkout without code, with a Java and a Maven that only tell that they were
 * called: what it decides can be seen without a build.
 */
final class FakeCheckout {
  /** What a Maven does that builds: it writes a class path. */
  static final String BUILT = "printf %s \"$PWD/pom.xml\" >\"$classpath\"";

  private static final long END_SECONDS = 60;

  private final Path directory;
  private final Path root;
  private final Path bin;
  private final Path builds;

  /** Makes it in {@code directory}, below a name with a space. */
  FakeCheckout(Path directory) throws IOException {
    this.directory = directory;
    this.root = directory.resolve("a checkout");
    this.bin = Files.createDirectories(directory.resolve("bin"));
    this.builds = directory.resolve("builds");
    Files.createDirectories(source().getParent());
    Files.createFile(source());
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(Files.createDirectories(root.resolve("tools/cli")).resolve("pom.xml"));
    Files.copy(
        Repository.root().resolve("millrace"), launcher(), StandardCopyOption.COPY_ATTRIBUTES);
    Path javac = Files.createDirectories(directory.resolve("jdk/bin")).resolve("javac");
    script(javac, "exit 0");
    java("17");
    maven("0.2", BUILT);
  }

  /** What one run printed, and its exit code. */
  record Run(int exitCode, String out, String err) {}

  Path root() {
    return root;
  }

  Path launcher() {
    return root.resolve("millrace");
  }

  /** One more example, with a line that says what it shows. Returns the script that runs them. */
  Path example(String name, String shows) throws IOException {
    Path run = root.resolve("examples/run");
    Path directory = Files.createDirectories(run.resolveSibling(name));
    Files.createFile(directory.resolve("pom.xml"));
    Files.writeString(directory.resolve("README.md"), "# Title\n\n" + shows + "\n");
    Files.copy(
        Repository.root().resolve("examples/run"),
        run,
        StandardCopyOption.COPY_ATTRIBUTES,
        StandardCopyOption.REPLACE_EXISTING);
    return run;
  }

  Path source() {
    return root.resolve("libraries/core/src/main/java/Source.java");
  }

  /** The class path that was written for a module. */
  Path classpath(String module) {
    return root.resolve(module).resolve("target/millrace.classpath");
  }

  /** A Java of that version, which prints its arguments. */
  void java(String version) throws IOException {
    script(
        bin.resolve("java"),
        """
        if [[ $1 == -XshowSettings:properties ]]; then
          echo "    java.specification.version = %s" >&2
          echo "    java.home = %s" >&2
        else
          printf '[%%s]\\n' "$@"
        fi"""
            .formatted(version, directory.resolve("jdk")));
  }

  /**
   * A Maven that takes so long and then does that; {@code $classpath} is where it is to write one.
   */
  void maven(String seconds, String then) throws IOException {
    script(
        bin.resolve("mvn"),
        """
        echo "$@" >>'%s'
        for argument in "$@"; do
          [[ $argument != -Dlaunched.classpath=* ]] || classpath=${argument#*=}
        done
        sleep %s
        %s"""
            .formatted(builds, seconds, then));
  }

  void withoutMaven() throws IOException {
    Files.delete(bin.resolve("mvn"));
  }

  /** The arguments of every build so far. */
  List<String> builds() throws IOException {
    return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
  }

  /** Changed after everything that was built. */
  static void touchLater(Path path) throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().plus(Duration.ofHours(1))));
  }

  Run run(Path launcher, String... args) throws IOException, InterruptedException {
    return end(start(launcher, args));
  }

  Process start(Path launcher, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    // Nothing of the machine's own: neither its Java nor its Maven may help.
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("MILLRACE_JAVA_OPTS");
    builder.environment().put("PATH", bin + ":" + tools());
    return builder.start();
  }

  /** The same with a terminal in place of its output and errors. */
  Run runOnTerminal(Path launcher, String argument) throws IOException, InterruptedException {
    Process process =
        start(Path.of("/usr/bin/script"), "-qec", "'" + launcher + "' " + argument, "/dev/null");
    process.getOutputStream().close();
    return end(process);
  }

  static Run end(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the launcher did not end: " + out + err);
    }
    return new Run(process.exitValue(), out, err);
  }

  /** The few programs that the launcher and the fakes use, in a directory of their own. */
  private Path tools() throws IOException {
    Path tools = directory.resolve("tools");
    if (!Files.exists(tools)) {
      Files.createDirectory(tools);
      for (String tool :
          List.of("env", "bash", "cat", "dirname", "readlink", "sed", "find", "mkdir", "sleep")) {
        wrap(tools, tool);
      }
      if (hasFlock()) {
        wrap(tools, "flock");
      }
    }
    return tools;
  }

  static boolean hasFlock() {
    return Files.exists(Path.of("/usr/bin/flock"));
  }

  private static void wrap(Path tools, String tool) throws IOException {
    Path usr = Path.of("/usr/bin", tool);
    Path real = Files.exists(usr) ? usr : Path.of("/bin", tool);
    executable(tools.resolve(tool), "#!/bin/sh\nexec %s \"$@\"\n".formatted(real));
  }

  private static void script(Path path, String body) throws IOException {
    executable(path, "#!/usr/bin/env bash\nset -euo pipefail\n" + body + "\n");
  }

  private static void executable(Path path, String text) throws IOException {
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
