package dev.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EmbeddedDynamoIT {

  /** Few starts here: each takes seconds. */
  @Test
  void start_twoAtOnce_answerSeparatelyAndEnd() throws IOException, InterruptedException {
    EmbeddedDynamo one = EmbeddedDynamo.inMemory().start();
    int taken = one.endpoint().getPort();
    int free = EngineStarter.freePort();
    Iterator<Integer> ports = List.of(taken, free).iterator();
    try (one;
        EmbeddedDynamo other = EmbeddedDynamo.inMemory().start(ports::next)) {
      HttpResponse<String> reply = RawDynamo.call(one.endpoint(), "ListTables", "{}");
      assertThat(one.endpoint()).hasScheme("http").hasHost("127.0.0.1");
      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("{\"TableNames\":[]}");
      // Clients correct their clocks by the one, and the SDK checks the body by the other.
      assertThat(reply.headers().firstValue("Date")).isPresent();
      assertThat(reply.headers().firstValue("x-amz-crc32")).isPresent();

      assertThat(other.endpoint().getPort()).as("the first was taken").isEqualTo(free);
      RawDynamo.createTable(one.endpoint(), "only-in-one");
      assertThat(RawDynamo.listTables(one.endpoint())).contains("only-in-one");
      assertThat(RawDynamo.listTables(other.endpoint())).doesNotContain("only-in-one");
      assertThat(isAlive(one)).isTrue();
    }
    assertThat(isAlive(one)).isFalse();
    one.close(); // does nothing more
  }

  @Test
  void onDisk_closedAndStarted_keepsTables(@TempDir Path directory)
      throws IOException, InterruptedException {
    try (EmbeddedDynamo dynamo = EmbeddedDynamo.onDisk(directory).start()) {
      RawDynamo.createTable(dynamo.endpoint(), "kept");
    }

    try (EmbeddedDynamo again = EmbeddedDynamo.onDisk(directory).start()) {
      assertThat(RawDynamo.listTables(again.endpoint())).contains("kept");
    }
  }

  /** Clients find it where it was, with all that it had acknowledged. */
  @Test
  void onDisk_killedAndStartedOnItsPort_keepsWhatItAcknowledged(@TempDir Path directory)
      throws IOException, InterruptedException {
    EngineStarter starter = EmbeddedDynamo.onDisk(directory).onPort(EngineStarter.freePort());
    EmbeddedDynamo dynamo = starter.start();
    RawDynamo.createTable(dynamo.endpoint(), "kept");
    RawDynamo.put(dynamo.endpoint(), "kept", "acknowledged");
    dynamo.kill();

    assertThat(isAlive(dynamo)).isFalse();
    try (EmbeddedDynamo again = starter.start()) {
      assertThat(again.endpoint()).isEqualTo(dynamo.endpoint());
      assertThat(RawDynamo.get(again.endpoint(), "kept", "acknowledged")).contains("acknowledged");
    }
    dynamo.close(); // does nothing more
  }

  @Test
  void onPort_taken_isRefused() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThatThrownBy(() -> EmbeddedDynamo.inMemory().onPort(taken.getLocalPort()).start())
          .isInstanceOf(EmbeddedEngineException.class)
          .hasMessageStartingWith("Port %d is taken", taken.getLocalPort());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 65_536})
  void onPort_noPort_isRefused(int port) {
    assertThatThrownBy(() -> EmbeddedDynamo.inMemory().onPort(port))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("port " + port + " must be from 1 to 65535");
  }

  @Test
  void onDisk_directoryInUse_refused(@TempDir Path directory) {
    try (EmbeddedDynamo first = EmbeddedDynamo.onDisk(directory).start()) {
      assertThat(isAlive(first)).isTrue();

      assertThatThrownBy(() -> EmbeddedDynamo.onDisk(directory).start())
          .isInstanceOf(EmbeddedEngineException.class)
          .hasMessageContaining("Another engine uses the directory " + directory);
    }
  }

  @Test
  void onDisk_missingDirectory_refused(@TempDir Path directory) {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> EmbeddedDynamo.onDisk(missing))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No such directory (create it first): " + missing);
  }

  @Test
  void onDisk_file_refused(@TempDir Path directory) throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> EmbeddedDynamo.onDisk(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Not a directory: " + file);
  }

  /**
   * Taken after it was found free: the port answers HTTP just as ours would, so asking the port
   * alone would be fooled.
   */
  @Test
  void awaitReady_portTakenByAnother_isFalse() throws IOException {
    HttpServer another = HttpServer.create(new InetSocketAddress(0), 0);
    another.start();
    try {
      String classpath = EngineClasspath.resolve(line -> {});
      EngineProcess late =
          EngineProcess.launch(classpath, List.of("-inMemory"), another.getAddress().getPort());
      assertThat(late.awaitReady()).isFalse();
    } finally {
      another.stop(0);
    }
  }

  @Test
  void start_everyPortTaken_givesUp() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThatThrownBy(() -> EmbeddedDynamo.inMemory().start(taken::getLocalPort))
          .isInstanceOf(EmbeddedEngineException.class)
          .hasMessageContaining("Each of 5 free ports was taken");
    }
  }

  @Test
  void awaitReady_engineFails_tellsItsOutput() {
    EngineProcess broken =
        EngineProcess.launch("no-such.jar", List.of("-inMemory"), EngineStarter.freePort());

    assertThatThrownBy(broken::awaitReady)
        .isInstanceOf(EmbeddedEngineException.class)
        .hasMessageContaining("ended with status 1")
        .hasMessageContaining("ClassNotFoundException");
  }

  private static boolean isAlive(EmbeddedDynamo dynamo) {
    return ProcessHandle.of(dynamo.pid()).map(ProcessHandle::isAlive).orElse(false);
  }
}
