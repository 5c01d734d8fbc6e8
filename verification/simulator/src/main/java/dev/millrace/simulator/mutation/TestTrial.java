package dev.millrace.simulator.mutation;

import dev.millrace.simulator.mutation.Catcher.NamedTest;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;

/**
 * Runs the tests that must catch mutants, each in a process of its own, in the directory and on the
 * class path of its module with the classes of the mutant before everything else.
 *
 * <p>A test counts only if it passes without the mutant, which is tried once for each.
 */
final class TestTrial {
  /** Longest time for one test; a mutant may leave it waiting for ever, and is caught then. */
  static final long MAX_SECONDS = 180;

  private final Path home;
  private final Function<String, String> classPaths;
  private final Set<NamedTest> passed = new HashSet<>();

  /**
   * A trial.
   *
   * @param home the root of the project
   * @param classPaths the class path of a module's tests
   */
  TestTrial(Path home, Function<String, String> classPaths) {
    this.home = home;
    this.classPaths = classPaths;
  }

  /** What {@code test} says of {@code mutant}. */
  MutantVerdict run(Mutant mutant, NamedTest test) {
    String classPath = classPaths.apply(test.module());
    if (!passed.contains(test)) {
      try (MutantBuild unchanged = MutantBuild.unchanged()) {
        String failure = failure(test, unchanged, classPath);
        if (failure != null) {
          throw new IllegalStateException(test + " fails without a mutant:\n" + failure);
        }
      }
      passed.add(test);
    }
    try (MutantBuild build = MutantBuild.of(mutant, home, classPath)) {
      String failure = failure(test, build, classPath);
      return MutantVerdict.ofTest(
          mutant, failure == null ? null : test.toString(), failure == null ? "" : failure);
    }
  }

  /** What failed, null when nothing did. */
  private @Nullable String failure(NamedTest test, MutantBuild build, String classPath) {
    Path log = build.classes().resolve("test.log");
    Path result = build.classes().resolve("test.result");
    String method = test.method() == null ? "" : test.method();
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx1g",
            "-cp",
            String.join(
                File.pathSeparator,
                build.classes().toString(),
                classPath,
                archive(NamedTestRun.class),
                archive(Launcher.class),
                archive(DiscoverySelector.class)),
            NamedTestRun.class.getName(),
            test.className(),
            method,
            result.toString());
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(home.resolve(test.module()).toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
          return "it did not end within " + MAX_SECONDS + " s";
        }
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      return switch (process.exitValue()) {
        case NamedTestRun.PASSED -> null;
        case NamedTestRun.FAILED -> Files.readString(result);
        default ->
            throw new IllegalStateException(
                test
                    + " could not be run ("
                    + process.exitValue()
                    + "):\n"
                    + Files.readString(log));
      };
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + test, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The archive or directory that a class comes from. */
  private static String archive(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
