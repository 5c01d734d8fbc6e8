package dev.millrace.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The class path of DynamoDB Local: from the cache, or else resolved by the user's own Maven, by
 * the user's settings and in the user's local repository.
 *
 * <p>Only the text is cached, under a name that holds a hash of the POM: another POM is another
 * file. It is valid only while every jar on it exists, since the local repository is the user's to
 * clear.
 */
final class EngineClasspath {
  /**
   * The property that names the cache directory; by default {@code .cache/millrace} in the user's
   * home.
   */
  static final String CACHE_PROPERTY = "millrace.engine.cache";

  /** The property that names the Maven command, when it is not the {@code mvn} of the path. */
  static final String MAVEN_PROPERTY = "millrace.engine.maven";

  /** The version that {@code engine-pom.xml} pins, for messages. */
  static final String ENGINE_VERSION = "3.3.1";

  /** Ten times the 27 s that the fetch of 88 jars, 50 MB, was measured to take. */
  private static final Duration FETCH_TIMEOUT = Duration.ofMinutes(5);

  private static final int FILES_PER_REPORT = 25;
  private static final String POM_RESOURCE = "engine-pom.xml";
  private static final int HASH_DIGITS = 16;
  private static final String GOAL =
      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

  /** A file lock is held by the JVM as a whole, so its own threads need a lock of their own. */
  private static final Object LOCK = new Object();

  private EngineClasspath() {}

  /** The entries, joined by the platform's separator; reports a fetch to {@code progress}. */
  static String resolve(Consumer<String> progress) {
    String named = System.getProperty(CACHE_PROPERTY);
    Path cache =
        named != null
            ? Path.of(named)
            : Path.of(System.getProperty("user.home", "."), ".cache", "millrace");
    try (InputStream resource = EngineClasspath.class.getResourceAsStream(POM_RESOURCE)) {
      byte[] pom =
          Objects.requireNonNull(resource, "The resource is missing from the jar: " + POM_RESOURCE)
              .readAllBytes();
      Path cached =
          Files.createDirectories(cache).resolve("dynamodb-local-" + hash(pom) + ".classpath");
      Optional<String> known = read(cached);
      return known.isPresent() ? known.get() : fetchOnce(pom, cached, progress);
    } catch (IOException e) {
      throw new EmbeddedEngineException(
          "Could not use the cache directory %s; name another one with -D%s"
              .formatted(cache, CACHE_PROPERTY),
          e);
    }
  }

  private static String hash(byte[] pom) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(pom);
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }

  private static Optional<String> read(Path cached) throws IOException {
    return Files.isRegularFile(cached)
        ? Optional.of(Files.readString(cached)).filter(EngineClasspath::allExist)
        : Optional.empty();
  }

  private static boolean allExist(String classpath) {
    return Stream.of(classpath.split(File.pathSeparator, -1))
        .allMatch(jar -> Files.isRegularFile(Path.of(jar)));
  }

  /**
   * Two processes that start together fetch once: the second waits for the first, no longer than
   * {@link #FETCH_TIMEOUT}, and uses its result. The lock ends with the process that holds it.
   */
  private static String fetchOnce(byte[] pom, Path cached, Consumer<String> progress)
      throws IOException {
    Path lockFile = cached.resolveSibling(cached.getFileName() + ".lock");
    synchronized (LOCK) {
      try (FileChannel channel =
          FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        channel.lock(); // released with the channel
        Optional<String> fetchedByAnother = read(cached);
        if (fetchedByAnother.isPresent()) {
          return fetchedByAnother.get();
        }
        progress.accept(
            "Fetching DynamoDB Local %s with Maven (once, about 50 MB) …"
                .formatted(ENGINE_VERSION));
        String classpath = fetch(pom, progress);
        // Written beside and then moved, so that no reader sees half of it.
        Path written = Files.createTempFile(lockFile.getParent(), "classpath", ".tmp");
        Files.writeString(written, classpath);
        Files.move(
            written, cached, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return classpath;
      }
    }
  }

  /**
   * Fetches in a directory that holds the POM and nothing else: Maven searches {@code .mvn} from
   * the POM upwards, and the options of the project we were started in are not meant for this run.
   */
  private static String fetch(byte[] pom, Consumer<String> progress) throws IOException {
    Path work = Files.createTempDirectory("millrace-fetch");
    Path pomFile = work.resolve("pom.xml");
    Path result = work.resolve("classpath.txt");
    try {
      Files.write(pomFile, pom);
      runMaven(
          work,
          List.of(
              mavenCommand(), "-B", "-f", pomFile.toString(), GOAL, "-Dmdep.outputFile=" + result),
          progress);
      String classpath = Files.readString(result).strip();
      if (!allExist(classpath)) {
        throw new EmbeddedEngineException(
            "Maven named jars for DynamoDB Local that do not exist: " + classpath);
      }
      return classpath;
    } finally {
      for (Path file : List.of(pomFile, result, work)) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static String mavenCommand() {
    boolean windows =
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");
    return System.getProperty(MAVEN_PROPERTY, windows ? "mvn.cmd" : "mvn");
  }

  private static void runMaven(Path directory, List<String> command, Consumer<String> progress)
      throws IOException {
    Process maven = start(directory, command);
    AtomicInteger files = new AtomicInteger();
    DrainedOutput output =
        new DrainedOutput(
            maven,
            line -> {
              if (line.contains("Downloaded from ")
                  && files.incrementAndGet() % FILES_PER_REPORT == 0) {
                progress.accept("  %d files fetched".formatted(files.get()));
              }
            },
            /* onEnd= */ () -> {});
    try {
      maven.getOutputStream().close();
      if (!maven.waitFor(FETCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw failure("did not finish within " + FETCH_TIMEOUT.toSeconds() + " s", command, output);
      }
      output.awaitEnd(); // the process can end before its last lines are read
      if (maven.exitValue() != 0) {
        throw failure("ended with status " + maven.exitValue(), command, output);
      }
    } catch (InterruptedException e) {
      throw EmbeddedEngineException.interrupted("Maven fetched DynamoDB Local", e);
    } finally {
      // Its children first: on Windows and with some wrappers, mvn is a script around a JVM.
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly();
    }
  }

  private static Process start(Path directory, List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    // Set by an mvn that we may be running under; it would point this one at that project.
    builder.environment().remove("MAVEN_BASEDIR");
    builder.environment().remove("MAVEN_PROJECTBASEDIR");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new EmbeddedEngineException(
          "Could not run '%s', which is needed once to fetch DynamoDB Local. Install Maven, or name its command with -D%s=/path/to/mvn"
              .formatted(command.get(0), MAVEN_PROPERTY),
          e);
    }
  }

  private static EmbeddedEngineException failure(
      String what, List<String> command, DrainedOutput output) {
    return new EmbeddedEngineException(
        """
        Maven could not fetch DynamoDB Local: it %s.
        Check that Maven reaches its repository (settings.xml: mirror, proxy), then start again; \
        to use another Maven, set -D%s=/path/to/mvn.
        Command: %s
        The end of its output:
        %s"""
            .formatted(what, MAVEN_PROPERTY, String.join(" ", command), output.tail()));
  }
}
