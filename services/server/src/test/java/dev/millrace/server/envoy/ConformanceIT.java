package dev.millrace.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client in another language, which has only what others publish: a gRPC implementation of its
 * own and the protocol files that are in their jars.
 */
class ConformanceIT {
  private static final String PROTO = ".proto";

  /** Fewer checks would be a script that ended early. */
  private static final int CHECKS = 13;

  /** The first run installs packages, perhaps with Node.js. */
  private static final long MAX_SECONDS = 300;

  @TempDir private Path directory;

  @Test
  void service_askedByAnotherImplementation_doesWhatTheProtocolSays() throws Exception {
    Path protos = directory.resolve("protos");
    unpack(RateLimitRequest.class, protos);
    unpack(ProtoReflectionServiceV1.class, protos);
    ManualClock clock = new ManualClock(1_700_000_040_000L);
    try (EnvoyServer server = new EnvoyServer(new InMemoryStore(), clock)) {
      List<String> lines =
          run(
              Path.of("src/test/node-grpc/run").toAbsolutePath().toString(),
              Path.of("target/node-grpc").toAbsolutePath().toString(),
              server.address(),
              protos.toString());
      assertThat(lines).hasSize(CHECKS).allMatch(line -> line.startsWith("ok "));
    }
  }

  /** Puts the protocol files that are in the jar of {@code type} into {@code directory}. */
  private static void unpack(Class<?> type, Path directory) throws IOException, URISyntaxException {
    Path jar = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream()
          .filter(entry -> entry.getName().endsWith(PROTO))
          .forEach(entry -> unpack(zip, entry, directory));
    }
  }

  private static void unpack(ZipFile zip, ZipEntry entry, Path directory) {
    Path file = directory.resolve(entry.getName());
    try (InputStream content = zip.getInputStream(entry)) {
      Files.createDirectories(file.getParent());
      Files.copy(content, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    return Files.readAllLines(out);
  }
}
