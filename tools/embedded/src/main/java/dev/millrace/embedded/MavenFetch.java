package dev.millrace.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A run of the user's own Maven that resolves the class path of a POM; the jars go to the user's
 * local repository, by the user's settings, and are not copied.
 */
final class MavenFetch {

  /** The property that names the Maven command, when it is not the {@code mvn} of the path. */
  static final String COMMAND_PROPERTY = "millrace.engine.maven";

  /** Ten times the 27 s that the fetch of 88 jars, 50 MB, was measured to take. */
  static final Duration TIMEOUT = Duration.ofMinutes(5);

  private static final int FILES_PER_REPORT = 25;

  /** The prefix of Maven's messages about downloaded files. */
  private static final String DOWNLOADED = "Downloaded from ";

  private static final String GOAL =
      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

  private MavenFetch() {}

  /**
   * Runs in {@code workDirectory}, which holds the POM and nothing else: Maven searches {@code
   * .mvn} from the POM upwards, and the options of the project we were started in are not meant for
   * this run. Reports every {@value #FILES_PER_REPORT}th file to {@code progress}.
   */
  static String classpathOf(Path workDirectory, Path pom, Consumer<String> progress) {
    Path result = workDirectory.resolve("classpath.txt");
    List<String> command =
        List.of(mavenCommand(), "-B", "-f", pom.toString(), GOAL, "-Dmdep.outputFile=" + result);
    Process maven = start(command, workDirectory);
    AtomicInteger files = new AtomicInteger();
    DrainedOutput output =
        DrainedOutput.of(maven, line -> count(line, files, progress), /* onEnd= */ () -> {});
    try {
      maven.getOutputStream().close();
      if (!maven.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw failure(
            "did not finish within " + TIMEOUT.toSeconds() + " s", command, output.tail());
      }
      // The process can end before its last lines are read.
      String printed = output.tailAfterEnd();
      if (maven.exitValue() != 0) {
        throw failure("ended with status " + maven.exitValue(), command, printed);
      }
      return Files.readString(result).strip();
    } catch (IOException e) {
      throw new EmbeddedEngineException("Could not read the class path that Maven wrote", e);
    } catch (InterruptedException e) {
      throw EmbeddedEngineException.interrupted("Maven fetched DynamoDB Local", e);
    } finally {
      // Its children first: on Windows and with some wrappers, mvn is a script around a JVM.
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly();
    }
  }

  private static void count(String line, AtomicInteger files, Consumer<String> progress) {
    if (line.contains(DOWNLOADED) && files.incrementAndGet() % FILES_PER_REPORT == 0) {
      progress.accept("  %d files fetched".formatted(files.get()));
    }
  }

  private static Process start(List<String> command, Path workDirectory) {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(workDirectory.toFile()).redirectErrorStream(true);
    // Set by an mvn that we may be running under; it would point this one at that project.
    builder.environment().remove("MAVEN_BASEDIR");
    builder.environment().remove("MAVEN_PROJECTBASEDIR");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new EmbeddedEngineException(
          "Could not run '%s', which is needed once to fetch DynamoDB Local. Install Maven, or name its command with -D%s=/path/to/mvn"
              .formatted(command.get(0), COMMAND_PROPERTY),
          e);
    }
  }

  private static EmbeddedEngineException failure(String what, List<String> command, String output) {
    return new EmbeddedEngineException(
        """
        Maven could not fetch DynamoDB Local: it %s.
        Check that Maven reaches its repository (settings.xml: mirror, proxy), then start again; \
        to use another Maven, set -D%s=/path/to/mvn.
        Command: %s
        The end of its output:
        %s"""
            .formatted(what, COMMAND_PROPERTY, String.join(" ", command), output));
  }

  private static String mavenCommand() {
    boolean windows =
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    return System.getProperty(COMMAND_PROPERTY, windows ? "mvn.cmd" : "mvn");
  }
}
