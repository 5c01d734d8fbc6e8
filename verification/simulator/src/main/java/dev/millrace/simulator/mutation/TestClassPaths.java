package dev.millrace.simulator.mutation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The class paths of the tests of modules, which Maven builds and writes down. */
final class TestClassPaths {
  /** Set to true by who has built the tests and written the files: then Maven is not called. */
  static final String BUILT = "millrace.mutants.built";

  /** Where a class path is, from the directory of its module. */
  static final String FILE = "target/mutants.classpath";

  /** Longest time for the build: the first one compiles every module that has such tests. */
  private static final long MAX_MINUTES = 30;

  private final Path home;

  private TestClassPaths(Path home) {
    this.home = home;
  }

  /** Builds the tests of {@code modules}, and whatever they need. */
  static TestClassPaths build(Path home, Set<String> modules) {
    if (!modules.isEmpty() && !Boolean.getBoolean(BUILT)) {
      run(home, modules);
    }
    return new TestClassPaths(home);
  }

  private static void run(Path home, Set<String> modules) {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-q", "-am", "-pl"));
    command.add(String.join(",", new TreeSet<>(modules)));
    command.addAll(
        List.of("test-compile", "dependency:build-classpath", "-Dmdep.outputFile=" + FILE));
    try {
      Path log = Files.createTempFile("millrace-mutants", ".log");
      Process maven =
          new ProcessBuilder(command)
              .directory(home.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!maven.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
        maven.destroyForcibly();
        throw new IllegalStateException("Maven took more than " + MAX_MINUTES + " min: " + log);
      }
      if (maven.exitValue() != 0) {
        throw new IllegalStateException("the tests do not build:\n" + Files.readString(log));
      }
      Files.delete(log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run Maven to build the tests that catch mutants", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The class path of the tests of {@code module}, its own classes first. */
  String of(String module) {
    Path directory = home.resolve(module);
    return String.join(
        File.pathSeparator,
        directory.resolve("target/test-classes").toString(),
        directory.resolve("target/classes").toString(),
        MutantBuild.read(directory.resolve(FILE)).strip());
  }
}
