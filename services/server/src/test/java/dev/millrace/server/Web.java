package dev.millrace.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Calls of a server over a real socket. */
public final class Web {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI base;
  private final String[] fields;

  private Web(URI base, String... fields) {
    this.base = base;
    this.fields = fields;
  }

  /** Calls of {@code server}. */
  public static Web of(MillraceServer server) {
    return new Web(server.uri());
  }

  /** The same, with header fields: names and values in turn. */
  public Web with(String... namesAndValues) {
    return new Web(base, namesAndValues);
  }

  /** A response. */
  public record Answer(int status, JsonNode body, HttpResponse<String> whole) {
    /** The last part of the type of a problem. */
    public String problem() {
      return body.path("type").asText().replace("urn:millrace:problem:", "");
    }

    public String field(String name) {
      return whole.headers().firstValue(name).orElse("");
    }
  }

  public Answer get(String path) throws IOException, InterruptedException {
    return answer(HTTP.send(request(path).build(), BodyHandlers.ofString()));
  }

  public Answer post(String path, String body) throws IOException, InterruptedException {
    return answer(HTTP.send(posting(path, body), BodyHandlers.ofString()));
  }

  /** Cancelling the future closes the connection. */
  public CompletableFuture<HttpResponse<String>> postLater(String path, String body) {
    return HttpClient.newHttpClient().sendAsync(posting(path, body), BodyHandlers.ofString());
  }

  public HttpRequest.Builder request(String path) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(base.resolve(path));
    return fields.length == 0 ? builder : builder.headers(fields);
  }

  private HttpRequest posting(String path, String body) {
    return request(path)
        .version(HttpClient.Version.HTTP_1_1)
        .setHeader("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static Answer answer(HttpResponse<String> response) throws IOException {
    String body = response.body();
    return new Answer(response.statusCode(), JSON.readTree(body.isEmpty() ? "{}" : body), response);
  }
}
