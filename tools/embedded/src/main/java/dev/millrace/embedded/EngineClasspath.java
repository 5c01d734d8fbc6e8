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
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The class path of DynamoDB Local: from the cache, or else from Maven.
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

  /** The version that {@code engine-pom.xml} pins, for messages. */
  static final String ENGINE_VERSION = "3.3.1";

  private static final String POM_RESOURCE = "engine-pom.xml";
  private static final int HASH_DIGITS = 16;

  /** A file lock is held by the JVM as a whole, so its own threads need a lock of their own. */
  private static final Object LOCK = new Object();

  private EngineClasspath() {}

  /** The entries, joined by the platform's separator; reports a fetch to {@code progress}. */
  static String resolve(Consumer<String> progress) {
    try {
      byte[] pom = pom();
      Path directory = Files.createDirectories(cacheDirectory());
      Path cached = directory.resolve("dynamodb-local-" + hash(pom) + ".classpath");
      Optional<String> known = read(cached);
      return known.isPresent() ? known.get() : fetchOnce(pom, cached, progress);
    } catch (IOException e) {
      throw new EmbeddedEngineException(
          "Could not use the cache directory %s; name another one with -D%s"
              .formatted(cacheDirectory(), CACHE_PROPERTY),
          e);
    }
  }

  /**
   * Two processes that start together fetch once: the second waits for the first, no longer than
   * {@link MavenFetch#TIMEOUT}, and uses its result. The lock ends with the process that holds it.
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
        write(cached, classpath);
        return classpath;
      }
    }
  }

  private static String fetch(byte[] pom, Consumer<String> progress) throws IOException {
    Path work = Files.createTempDirectory("millrace-fetch");
    try {
      Path pomFile = Files.write(work.resolve("pom.xml"), pom);
      String classpath = MavenFetch.classpathOf(work, pomFile, progress);
      if (!allExist(classpath)) {
        throw new EmbeddedEngineException(
            "Maven named jars for DynamoDB Local that do not exist: " + classpath);
      }
      return classpath;
    } finally {
      deleteTree(work);
    }
  }

  private static Optional<String> read(Path cached) throws IOException {
    if (!Files.isRegularFile(cached)) {
      return Optional.empty();
    }
    return Optional.of(Files.readString(cached)).filter(EngineClasspath::allExist);
  }

  /** Writes a temporary file that is then moved, so that no reader sees half of it. */
  private static void write(Path cached, String classpath) throws IOException {
    Path directory = cached.toAbsolutePath().getParent();
    Path written = Files.createTempFile(directory, "classpath", ".tmp");
    Files.writeString(written, classpath);
    Files.move(
        written, cached, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean allExist(String classpath) {
    return Stream.of(classpath.split(File.pathSeparator, -1))
        .allMatch(jar -> Files.isRegularFile(Path.of(jar)));
  }

  private static Path cacheDirectory() {
    String named = System.getProperty(CACHE_PROPERTY);
    return named != null
        ? Path.of(named)
        : Path.of(System.getProperty("user.home", "."), ".cache", "millrace");
  }

  private static byte[] pom() throws IOException {
    try (InputStream resource = EngineClasspath.class.getResourceAsStream(POM_RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException("The resource is missing from the jar: " + POM_RESOURCE);
      }
      return resource.readAllBytes();
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

  private static void deleteTree(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
