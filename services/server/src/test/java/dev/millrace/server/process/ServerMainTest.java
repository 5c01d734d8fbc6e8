package dev.millrace.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.server.Await;
import dev.millrace.server.config.ConfigKey;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main class of a server: its arguments, its exit codes, and one life in a process. */
class ServerMainTest {
  private static final long STOP_SECONDS = 60;
  private static final int SIGTERM = 143;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(Map<String, String> environment, String... args) {
    return new ServerMain(environment, new PrintWriter(out, true), new PrintWriter(err, true))
        .run(List.of(args));
  }

  @Test
  void run_printConfig_showsValuesWithTheirOriginsAndHidesSecrets() throws IOException {
    Path file = Files.writeString(directory.resolve("server.yaml"), "max-leases: 7\nport: 79\n");

    int exitCode =
        run(
            Map.of("MILLRACE_TABLE", "of-the-environment", "MILLRACE_HOST", ""),
            "--print-config",
            "--config=" + file,
            "--port",
            "81",
            "--lease-secret",
            "0123456789abcdefgh");

    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out.toString().lines()).hasSize(ConfigKey.values().length);
    assertThat(out.toString())
        .contains("port: 81  # flag --port")
        .contains("max-leases: 7  # file " + file)
        .contains("table: of-the-environment  # environment MILLRACE_TABLE")
        .contains("host: 127.0.0.1  # default")
        .contains("lease-secret: (hidden)")
        .doesNotContain("0123456789abcdefgh");
  }

  @Test
  void run_wrongArguments_endsWithWrongUsageAndSaysWhich() {
    assertWrong("unknown argument '--prot'", "--prot", "81");
    assertWrong("unknown argument 'serve'", "serve");
    assertWrong("unknown argument '--json=yes'", "--json=yes");
    assertWrong("--port needs a value", "--port");
    assertWrong("--port is given twice", "--port=1", "--port", "2");
    assertWrong("port 'x' (flag --port) must be a whole number", "--port=x");
    assertWrong("keys is not set", "--port=0", "--endpoint=http://127.0.0.1:1");
    assertWrong("nowhere.yaml", "--config", "nowhere.yaml");
  }

  private void assertWrong(String message, String... args) {
    assertThat(run(Map.of(), args)).as(message).isEqualTo(2);
    assertThat(err.toString()).startsWith("millrace: ").contains(message);
    err.getBuffer().setLength(0);
  }

  @Test
  void run_portTaken_endsAsNotStarted() throws Exception {
    Path keys = Files.writeString(directory.resolve("keys.yaml"), "keys: []\n");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int exitCode =
          run(
              Map.of(),
              "--port=" + taken.getLocalPort(),
              "--keys=" + keys,
              "--endpoint=" + SharedEngine.endpoint());

      assertThat(exitCode).as(err.toString()).isEqualTo(5);
    }
  }

  @Test
  void run_help_namesEveryFlagWithItsDefault() {
    assertThat(run(Map.of(), "--help")).isZero();

    for (ConfigKey key : ConfigKey.values()) {
      assertThat(out.toString()).contains("  " + key.flag() + " VALUE ");
    }
    assertThat(out.toString())
        .contains("--config FILE", "--print-config", "--json", "(default: 8080)")
        .contains("0   stopped as asked", "2   wrong usage", "5   could not start");
  }

  /** With the class path of a server alone, as an image has it. */
  @Test
  void main_onItsOwnClassPath_servesUntilItIsToldToEnd() throws Exception {
    Path keys = Files.writeString(directory.resolve("keys.yaml"), "keys: []\n");
    Path printed = directory.resolve("out");
    Path errors = directory.resolve("err");
    Process process = start(keys, printed, errors);
    try {
      Await.until("ready", () -> Files.readString(printed).contains("\n") || !process.isAlive());
      assertThat(process.isAlive()).as(Files.readString(errors)).isTrue();
      String event = Files.readAllLines(printed).get(0);
      URI url = URI.create(new ObjectMapper().readTree(event).path("url").asText());

      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(url.resolve("openapi.json")).build(),
                  HttpResponse.BodyHandlers.ofString());

      assertThat(event).contains("\"event\":\"ready\"");
      assertThat(answer.statusCode()).as(answer.body()).isIn(200, 401);
      process.destroy(); // SIGTERM
      assertThat(process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(errors)).isEqualTo(SIGTERM);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(Path keys, Path out, Path err) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.add(ServerMain.class.getName());
    command.addAll(List.of("--port=0", "--json", "--keys=" + keys));
    command.add("--endpoint=" + SharedEngine.endpoint());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("CLASSPATH", classPath());
    return builder.start();
  }

  private static String classPath() throws IOException {
    Path target = Path.of("target");
    String others = Files.readString(target.resolve("server.classpath")).strip();
    return target.resolve("classes") + File.pathSeparator + others;
  }
}
