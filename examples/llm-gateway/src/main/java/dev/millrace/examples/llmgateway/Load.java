package dev.millrace.examples.llmgateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Callers of the gateway: all keys at once, some answers as streams, some callers impatient. */
final class Load {
  static final String MODEL = "gpt-4o-mini";
  static final int REQUESTS = 40;

  private static final int THREADS = 16;
  private static final int STREAMS_EVERY = 2;
  private static final int HANGS_UP_EVERY = 10;
  private static final int MAX_TOKENS = 100;

  private final HttpClient client =
      HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
  private final URI gateway;

  Load(URI gateway) {
    this.gateway = gateway;
  }

  /**
   * The outcome of a request.
   *
   * @param kind how it ended
   * @param why the limit that refused it, or nothing
   */
  record Outcome(Kind kind, String why) {
    /** The kinds of outcomes. */
    enum Kind {
      /** In one piece. */
      ANSWERED,
      /** As a stream, read to its end. */
      STREAMED,
      /** The caller left in the middle of a stream. */
      HUNG_UP,
      /** The provider failed. */
      FAILED,
      /** A limit refused. */
      REFUSED
    }
  }

  /** Sends {@link #REQUESTS} of each tenant, and says what became of them. */
  Map<String, List<Outcome>> run() throws InterruptedException {
    List<Callable<Map.Entry<String, Outcome>>> calls = new ArrayList<>();
    for (int number = 0; number < REQUESTS; number++) {
      for (Tenant tenant : Tenant.ALL) {
        int count = number;
        calls.add(() -> Map.entry(tenant.key(), call(tenant, count)));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Map<String, List<Outcome>> outcomes = new TreeMap<>();
      for (Future<Map.Entry<String, Outcome>> ended : threads.invokeAll(calls)) {
        Map.Entry<String, Outcome> outcome = ended.get();
        outcomes
            .computeIfAbsent(outcome.getKey(), key -> new ArrayList<>())
            .add(outcome.getValue());
      }
      return outcomes;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a request failed that should not", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private Outcome call(Tenant tenant, int number) throws IOException, InterruptedException {
    boolean stream = number % STREAMS_EVERY == 0;
    boolean impatient = stream && number % HANGS_UP_EVERY == 0;
    HttpRequest request =
        HttpRequest.newBuilder(gateway)
            .header("Authorization", "Bearer " + tenant.secret())
            .header("Content-Type", Http.JSON_TYPE)
            .POST(HttpRequest.BodyPublishers.ofString(body(tenant, number, stream)))
            .build();
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      if (response.statusCode() == 200 && impatient) {
        in.read(); // one byte of many, and off
        return new Outcome(Outcome.Kind.HUNG_UP, "");
      }
      byte[] bytes = in.readAllBytes();
      return switch (response.statusCode()) {
        case 200 -> new Outcome(stream ? Outcome.Kind.STREAMED : Outcome.Kind.ANSWERED, "");
        case 502 -> new Outcome(Outcome.Kind.FAILED, "");
        case 429 -> new Outcome(Outcome.Kind.REFUSED, violation(Http.JSON.readTree(bytes)));
        default -> throw new IOException("status " + response.statusCode());
      };
    }
  }

  private static String body(Tenant tenant, int number, boolean stream) {
    ObjectNode body =
        Http.JSON
            .createObjectNode()
            .put("model", MODEL)
            .put("max_tokens", MAX_TOKENS)
            .put("stream", stream);
    String prompt =
        IntStream.rangeClosed(0, number % 7)
            .mapToObj(part -> "Part " + part + " of question " + number + " by " + tenant.key())
            .collect(Collectors.joining(". "));
    body.putArray("messages").addObject().put("role", "user").put("content", prompt);
    return body.toString();
  }

  private static String violation(JsonNode problem) {
    JsonNode first = problem.at("/violations/0");
    return first.path("limit").asText() + " of " + first.path("entity").asText();
  }
}
