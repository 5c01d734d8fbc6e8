package dev.millrace.cli.services.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.Millrace;
import dev.millrace.cli.services.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real command in a process of its own, on DynamoDB Local: what the documents print works, and
 * what clients were told survives when it is killed.
 */
class UpIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String PRINTED_URL = "http://127.0.0.1:8080/";
  private static final int CLIENTS = 4;
  private static final int ENOUGH = 100;
  private static final long BURST = 1_000_000;
  private static final long STOP_SECONDS = 60;
  private static final String HARDLY_REFILLED =
      "\"limits\":[{\"name\":\"n\",\"rate\":1000,\"per\":\"P365D\",\"burst\":" + BURST + "}]";

  @TempDir private Path directory;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly();
      process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void up_killedUnderLoad_keepsWhatWasToldAndLosesLeases() throws Exception {
    Process first = start("first");
    String url = ready("first");
    tryWhatTheDocumentsPrint(url);
    String lease = JSON.readTree(acquire(url, "leased").body()).at("/lease/id").asText();
    assertThat(lease).isNotEmpty();

    AtomicLong told = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(client(url, told, stop));
    }
    Await.until("there is load", () -> told.get() > ENOUGH);
    first.destroyForcibly();
    stop.set(true);
    for (Thread client : clients) {
      client.join();
    }

    Process second = start("second");
    String again = ready("second");
    long charged = BURST - remaining(again);
    assertThat(charged).isBetween(told.get(), told.get() + CLIENTS);
    HttpResponse<String> settled =
        post(again + "v1/namespaces/default/leases/" + lease + "/settle", "{}");
    assertThat(settled.statusCode()).as(settled.body()).isEqualTo(410);
    assertThat(settled.body()).contains("lease-lost");
    second.destroy(); // SIGTERM: in good order
    assertThat(second.waitFor(STOP_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /**
   * The server without keys is guarded by its address; the engine behind it has no guard at all.
   */
  @Test
  void up_everythingThatItStarts_listensOnLoopbackAlone() throws Exception {
    Process up = start("guarded");
    URI url = URI.create(ready("guarded"));
    URI engine = URI.create(readyEvent("guarded").path("endpoint").asText());

    for (int port : List.of(url.getPort(), engine.getPort())) {
      assertThat(ListeningSockets.isReachable(InetAddress.getLoopbackAddress(), port)).isTrue();
      assertThat(ListeningSockets.addressesOfThisMachine())
          .noneMatch(address -> ListeningSockets.isReachable(address, port));
    }
    List<String> others = ListeningSockets.beyondLoopback(up.toHandle());
    assertThat(others).as("listening sockets of the server and the engine").isEmpty();
  }

  /** Also that sample tenants are there: the lines name them. */
  private static void tryWhatTheDocumentsPrint(String url) throws Exception {
    String lease = "";
    int lines = 0;
    Path file = Path.of("../../docs/guide/server.md");
    for (String printed : CurlLine.in(Files.readString(file))) {
      String line = printed.replace(PRINTED_URL, url).replace("$LEASE", lease);
      HttpResponse<String> answer = HTTP.send(CurlLine.request(line), BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(line + "\n" + answer.body()).isEqualTo(200);
      String id = JSON.readTree(answer.body()).at("/lease/id").asText();
      lease = id.isEmpty() ? lease : id;
      lines++;
    }
    assertThat(lines).isGreaterThanOrEqualTo(3);
  }

  private static Thread client(String url, AtomicLong told, AtomicBoolean stop) {
    Thread thread =
        new Thread(
            () -> {
              while (!stop.get()) {
                try {
                  if (acquire(url, "loaded").statusCode() == 200) {
                    told.incrementAndGet();
                  }
                } catch (IOException e) {
                  return; // it was killed
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                  return;
                }
              }
            });
    thread.start();
    return thread;
  }

  private static HttpResponse<String> acquire(String url, String entity)
      throws IOException, InterruptedException {
    return post(
        url + "v1/namespaces/default/acquire",
        "{\"entity\":\""
            + entity
            + "\",\"resource\":\"r\",\"consume\":{\"n\":1},\"lease\":"
            + entity.equals("leased")
            + ","
            + HARDLY_REFILLED
            + "}");
  }

  private static HttpResponse<String> post(String url, String body)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  /** What is left in the bucket that was loaded, without taking any. */
  private static long remaining(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        post(
            url + "v1/namespaces/default/acquire",
            "{\"entity\":\"loaded\",\"resource\":\"r\",\"consume\":{\"n\":0},\"lease\":false,"
                + "\"balances\":true,"
                + HARDLY_REFILLED
                + "}");
    JsonNode limits = JSON.readTree(answer.body()).at("/limits/0/remaining");
    assertThat(limits.isIntegralNumber()).as(answer.body()).isTrue();
    return limits.asLong();
  }

  private Process start(String name) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            Millrace.class.getName(),
            "up",
            "--port=0",
            "--data=" + directory.resolve("state"),
            "--json");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(directory.resolve(name + ".out").toFile())
            .redirectError(directory.resolve(name + ".err").toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path", ""));
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private String ready(String name) throws Exception {
    Path out = directory.resolve(name + ".out");
    Await.until(
        "it is ready: " + Files.readString(directory.resolve(name + ".err")),
        () -> Files.readString(out).contains("\"ready\""));
    return readyEvent(name).path("url").asText();
  }

  private JsonNode readyEvent(String name) throws IOException {
    return JSON.readTree(Files.readAllLines(directory.resolve(name + ".out")).get(0));
  }
}
