package dev.millrace.examples.llmgateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands for the provider: speaks the chat API that most of them speak, in one piece or as a
 * stream, fails now and then, and keeps the bill of each user.
 */
final class FakeProvider implements AutoCloseable {
  private static final int FAILS_EVERY = 17;
  private static final int LEAST_WORDS = 10;
  private static final int MOST_WORDS = 120;
  private static final int CHARS_PER_TOKEN = 4;
  private static final String WORD = "mill ";

  private final Map<String, Bill> bills = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final Http http = new Http(0, this::chat);

  FakeProvider() throws IOException {}

  /** The bill of a user: requests, and tokens in and out. */
  record Bill(long requests, long tokens) {
    Bill plus(Bill other) {
      return new Bill(requests + other.requests, tokens + other.tokens);
    }
  }

  URI chat() {
    return http.chat();
  }

  Bill billOf(String user) {
    return bills.getOrDefault(user, new Bill(0, 0));
  }

  private void chat(HttpExchange exchange) throws IOException {
    JsonNode request = Http.JSON.readTree(exchange.getRequestBody());
    if (requests.incrementAndGet() % FAILS_EVERY == 0) { // it is not billed
      Http.answer(exchange, 500, Http.JSON_TYPE, "{\"error\":{\"message\":\"overloaded\"}}");
      return;
    }
    long input = 0;
    for (JsonNode message : request.path("messages")) {
      input += message.path("content").asText().length() / CHARS_PER_TOKEN + 1;
    }
    // As many words as chance wants, the same for the same prompt, and never more than was asked.
    Random chance = new Random(request.path("messages").toString().hashCode());
    int most = request.path("max_tokens").asInt(MOST_WORDS);
    int words = Math.min(most, chance.nextInt(LEAST_WORDS, MOST_WORDS));
    if (request.path("stream").asBoolean()) {
      stream(exchange, input, words);
    } else {
      String body = answer(input, words).toString();
      Http.answer(exchange, 200, Http.JSON_TYPE, body);
    }
    // It has produced it, and so it is paid, whether anybody has read it or not.
    bills.merge(request.path("user").asText(), new Bill(1, input + words), Bill::plus);
  }

  private static ObjectNode answer(long input, int words) {
    ObjectNode answer = Http.JSON.createObjectNode().put("object", "chat.completion");
    ObjectNode choice = answer.putArray("choices").addObject().put("finish_reason", "stop");
    choice.putObject("message").put("role", "assistant").put("content", WORD.repeat(words).strip());
    answer.set("usage", usage(input, words));
    return answer;
  }

  private static ObjectNode usage(long input, long output) {
    return Http.JSON
        .createObjectNode()
        .put("prompt_tokens", input)
        .put("completion_tokens", output)
        .put("total_tokens", input + output);
  }

  private static void stream(HttpExchange exchange, long input, int words) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", Http.STREAM_TYPE);
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    for (int i = 0; i < words; i++) {
      ObjectNode chunk = Http.JSON.createObjectNode().put("object", "chat.completion.chunk");
      chunk.putArray("choices").addObject().putObject("delta").put("content", WORD);
      event(out, chunk.toString());
    }
    ObjectNode last = Http.JSON.createObjectNode().put("object", "chat.completion.chunk");
    last.putArray("choices");
    last.set("usage", usage(input, words));
    event(out, last.toString());
    event(out, "[DONE]");
  }

  private static void event(OutputStream out, String data) throws IOException {
    out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  @Override
  public void close() {
    http.close();
  }
}
