package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide's Spring application starts when it is pasted: its files as they stand there, its
 * command, in a directory that has nothing else.
 */
class NewcomerIT {
  private static final String GUIDE = "docs/guide/spring-boot.md";

  /** Fetching Spring Boot's plugins for the first time takes most of it. */
  private static final long START_MINUTES = 8;

  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Pattern FILE =
      Pattern.compile(
          "^<!-- newcomer (\\S+): run by NewcomerIT -->\\n```.*\\n((?s:.*?))^```$",
          Pattern.MULTILINE);
  private static final Pattern COMMAND = Pattern.compile("`(mvn [^`]+)` starts it");
  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void application_pastedFromTheGuide_startsAndLimits(
      @TempDir Path directory, @TempDir Path repository) throws Exception {
    Map<String, String> files = files();
    assertThat(files).hasSize(3);
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }

    try (LocalRepository modules = LocalRepository.create(repository)) {
      limits(start(directory, modules.directory()));
    }
  }

  private void limits(Process maven) throws Exception {
    try {
      String quote = "http://127.0.0.1:" + port(maven) + "/quotes/ann";
      for (int i = 0; i < 5; i++) {
        assertThat(get(quote).body()).isEqualTo("42");
      }
      HttpResponse<String> sixth = get(quote);
      for (int i = 0; i < 100 && sixth.statusCode() == 200; i++) { // a token returns in 12 s
        sixth = get(quote);
      }

      assertThat(sixth.statusCode()).isEqualTo(429);
      assertThat(sixth.headers().firstValue("Retry-After")).isPresent();
      assertThat(sixth.body()).contains("\"limit\":\"rpm\"");
    } finally {
      List<ProcessHandle> children = maven.descendants().toList();
      maven.destroy();
      children.forEach(ProcessHandle::destroy);
      maven.waitFor();
    }
  }

  /** Readers copy the version; it is the one that the starter is tested with. */
  @Test
  void pom_ofTheGuide_hasTheBootThatTheStarterIsTestedWith() throws IOException {
    Matcher tested =
        Pattern.compile("<springboot.version>(.+)</").matcher(Repository.read("pom.xml"));

    assertThat(tested.find()).isTrue();
    assertThat(files().get("pom.xml")).contains("<version>" + tested.group(1) + "</version>");
  }

  private static Map<String, String> files() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    FILE.matcher(Repository.read(GUIDE))
        .results()
        .forEach(block -> files.put(block.group(1), block.group(2)));
    return files;
  }

  private static Process start(Path directory, Path repository) throws IOException {
    Matcher command = COMMAND.matcher(Repository.read(GUIDE));
    assertThat(command.find()).isTrue();
    ProcessBuilder builder =
        new ProcessBuilder(command.group(1).split(" ", -1))
            .directory(directory.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    // Set by an mvn that we may be running under; it would point this one at that project.
    environment.remove("MAVEN_BASEDIR");
    environment.remove("MAVEN_PROJECTBASEDIR");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put(
        "MAVEN_OPTS",
        environment.getOrDefault("MAVEN_OPTS", "") + " -Dmaven.repo.local=" + repository);
    environment.put("SERVER_PORT", "0"); // others may have 8080
    return builder.start();
  }

  /** Waits until the application says its port; reads on, so that it never blocks. */
  private static String port(Process maven)
      throws InterruptedException, ExecutionException, TimeoutException {
    Queue<String> printed = new ConcurrentLinkedQueue<>();
    CompletableFuture<String> port = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines = maven.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  printed.add(line);
                  Matcher started = STARTED.matcher(line);
                  if (started.find()) {
                    port.complete(started.group(1));
                  }
                }
                port.completeExceptionally(
                    new AssertionError("it ended:\n" + String.join("\n", printed)));
              } catch (IOException e) {
                port.completeExceptionally(e);
              }
            },
            "newcomer-output");
    reader.setDaemon(true);
    reader.start();
    try {
      return port.get(START_MINUTES, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      throw new AssertionError("it did not start:\n" + String.join("\n", printed), e);
    }
  }

  private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(uri)).timeout(ANSWER).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
