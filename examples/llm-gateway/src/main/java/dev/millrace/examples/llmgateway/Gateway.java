package dev.millrace.examples.llmgateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.millrace.AcquireRequest;
import dev.millrace.MillraceException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.LimitHeaders;
import dev.millrace.llm.CallEnd;
import dev.millrace.llm.LimitCharge;
import dev.millrace.llm.LimitShape;
import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.MeteredCall;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The gateway: knows the caller by the key, reserves what the call will probably cost, sends it on
 * to the provider, and settles what it really cost.
 *
 * <p>A caller that is refused gets 429, {@code Retry-After} and a problem that names every limit
 * that refused: the key's, the team's or the organisation's.
 */
final class Gateway implements AutoCloseable {
  static final String REQUESTS = "rpm";
  static final String TOKENS = "tpm";

  /** Those that limits.yaml has limits for. */
  private static final Set<String> MODELS = Set.of(Load.MODEL);

  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final HttpProblem FAILED =
      HttpProblem.of(502, "provider-failed", "The provider has failed");
  private static final String BEARER = "Bearer ";

  private final HttpClient client =
      HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
  private final Map<String, Long> reserved = new ConcurrentHashMap<>();
  private final URI provider;
  private final RateLimiter limiter;
  private final LlmMeter meter;
  private final Http http;

  Gateway(int port, URI provider, RateLimiter limiter) throws IOException {
    this.provider = provider;
    this.limiter = limiter;
    // A request is one of rpm; its tokens, in and out, are of tpm. How many there may be of each
    // is stored for the key, its team and its organisation.
    this.meter =
        LlmMeter.builder(
                limiter, LimitShape.of(LimitCharge.requests(REQUESTS), LimitCharge.tokens(TOKENS)))
            .build();
    this.http = new Http(port, this::chat);
  }

  URI chat() {
    return http.chat();
  }

  /** Tokens that were reserved for a key before its calls, in all. */
  long reserved(String key) {
    return reserved.getOrDefault(key, 0L);
  }

  private void chat(HttpExchange exchange) throws IOException {
    Optional<Tenant> tenant = tenant(exchange);
    if (tenant.isEmpty()) {
      answer(exchange, HttpProblem.of(401, "unauthorized", "The key is not known"));
      return;
    }
    String key = tenant.get().key();
    ObjectNode request;
    MeteredCall metered;
    try {
      request = Http.readObject(exchange);
      metered = meter.begin(describe(key, request));
    } catch (IllegalArgumentException e) {
      answer(
          exchange,
          HttpProblem.of(400, "invalid-request", "The request is not valid")
              .detail(String.valueOf(e.getMessage())));
      return;
    } catch (MillraceException e) {
      // 429 by a limit, 403 when switched off, 503 when the store is away
      HttpRefusal refusal = HttpRefusal.of(e).orElseThrow(() -> e);
      refusal.fields().forEach(exchange.getResponseHeaders()::set);
      answer(exchange, refusal.problem());
      return;
    }
    reserved.merge(key, metered.charged(TOKENS), Long::sum);
    try {
      forward(exchange, metered, request.put("user", key));
    } catch (IOException | RuntimeException e) {
      metered.end(metered.endOf(e)); // does nothing when it has ended before
      throw e;
    }
  }

  private static Optional<Tenant> tenant(HttpExchange exchange) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    return authorization != null && authorization.startsWith(BEARER)
        ? Tenant.withSecret(authorization.substring(BEARER.length()))
        : Optional.empty();
  }

  /** What the cost of the call depends on. The meter counts the input and learns the output. */
  private static LlmCall describe(String key, JsonNode request) {
    String model = request.path("model").asText();
    if (!MODELS.contains(model)) {
      throw new IllegalArgumentException("model '" + model + "' must be one of " + MODELS);
    }
    LlmCall.Builder call = LlmCall.chat(key, model);
    request.path("messages").forEach(message -> call.message(message.path("content").asText()));
    JsonNode most = request.path("max_tokens");
    return call.maxOutputTokens(most.isNumber() ? most.numberValue() : null).build();
  }

  private void forward(HttpExchange exchange, MeteredCall metered, JsonNode request)
      throws IOException {
    HttpResponse<Stream<String>> response;
    try {
      response = send(request);
    } catch (IOException e) {
      metered.end(metered.endOf(e));
      answer(exchange, FAILED.detail(String.valueOf(e.getMessage())));
      return;
    }
    try (Stream<String> lines = response.body()) {
      if (response.statusCode() != 200) {
        metered.end(CallEnd.nothingUsed()); // everything is given back, the request too
        answer(exchange, FAILED.detail("it answered " + response.statusCode()));
      } else if (request.path("stream").asBoolean()) {
        new StreamRelay(exchange, metered, fields(metered)).relay(lines);
      } else {
        JsonNode answer = Http.JSON.readTree(String.join("\n", lines.toList()));
        metered.end(CallEnd.used(usage(answer)));
        fields(metered).forEach(exchange.getResponseHeaders()::set);
        Http.answer(exchange, 200, Http.JSON_TYPE, answer.toString());
      }
    }
  }

  private HttpResponse<Stream<String>> send(JsonNode request) throws IOException {
    HttpRequest forwarded =
        HttpRequest.newBuilder(provider)
            .timeout(TIMEOUT)
            .header("Content-Type", Http.JSON_TYPE)
            .POST(HttpRequest.BodyPublishers.ofString(request.toString()))
            .build();
    try {
      return client.send(forwarded, BodyHandlers.ofLines());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** What the provider says that it has counted. */
  static LlmUsage usage(JsonNode answer) {
    JsonNode usage = answer.path("usage");
    return LlmUsage.of(
        usage.path("prompt_tokens").asLong(), usage.path("completion_tokens").asLong());
  }

  /** How the limits stand now, as RateLimit and RateLimit-Policy; costs one read. */
  private Map<String, String> fields(MeteredCall metered) {
    LlmCall call = metered.call();
    return LimitHeaders.now(
        limiter, AcquireRequest.of(call.entityId(), call.resource()).consume(TOKENS, 0));
  }

  private static void answer(HttpExchange exchange, HttpProblem problem) throws IOException {
    Http.answer(exchange, problem.status(), HttpProblem.MEDIA_TYPE, problem.json());
  }

  @Override
  public void close() {
    http.close();
    meter.close();
  }
}
