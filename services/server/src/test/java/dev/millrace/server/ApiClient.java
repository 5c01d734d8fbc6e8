package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.server.openapi.ApiDocument;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks a server, and holds every answer against the description of its routes. */
public final class ApiClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI server;
  private final ApiDocument document = ApiDocument.read();

  /** Asks the server at {@code server}. */
  public ApiClient(URI server) {
    this.server = server;
  }

  /** An answer that is as it was described. */
  public record Answer(int status, HttpHeaders headers, JsonNode body) {
    /** The member of the body at a path such as {@code /items/0/id}. */
    public JsonNode at(String path) {
      return body.at(path);
    }

    /** The same, of an answer that must have this status. */
    public Answer expect(int expected) {
      assertThat(status).as("status of " + body).isEqualTo(expected);
      return this;
    }
  }

  /** Reads. */
  public Answer get(String path) throws Exception {
    return send("GET", path, null);
  }

  /** Sends {@code body}, JSON in which {@code '} stands for a double quote. */
  public Answer send(String method, String path, @Nullable String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path))
            .timeout(PATIENCE)
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    if (body != null) {
      request.header("content-type", "application/json");
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    JsonNode json = JSON.readTree(response.body());
    assertThat(
            document.wrong(method, server.resolve(path).getRawPath(), response.statusCode(), json))
        .as("what is not as described in " + response.statusCode() + " " + json)
        .isEmpty();
    return new Answer(response.statusCode(), response.headers(), json);
  }
}
