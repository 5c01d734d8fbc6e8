package dev.millrace.llm.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that speaks like OpenAI's: chats, streamed or not, and embeddings. It counts tokens by
 * itself and bills them to the tenant whose key it is called with. What it says that was used is a
 * little more than anybody can count from outside, as with models that think; so a ledger that
 * equals its bill was settled with what it said. What it does besides is {@link Script}'s.
 */
public final class FakeProvider implements AutoCloseable {
  /** A model for chats. */
  public static final String CHAT_MODEL = "gpt-4o-mini";

  /** A model for embeddings. */
  public static final String EMBEDDING_MODEL = "text-embedding-3-small";

  /** What it adds to a request that nobody sees. */
  private static final int HIDDEN_INPUT = 5;

  /** What it thinks that nobody sees. */
  private static final int HIDDEN_OUTPUT = 7;

  private static final int PER_MESSAGE = 4;
  private static final int PER_CHAT = 3;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, Bill> bills = new ConcurrentHashMap<>();
  private final EncodingRegistry encodings = Encodings.newLazyEncodingRegistry();

  private FakeProvider(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/v1/chat/completions", exchange -> handle(exchange, this::chat));
    server.createContext("/v1/embeddings", exchange -> handle(exchange, this::embed));
    server.start();
  }

  /** A provider at a free port of this machine. */
  public static FakeProvider start() {
    try {
      InetAddress local = InetAddress.getLoopbackAddress();
      return new FakeProvider(HttpServer.create(new InetSocketAddress(local, 0), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is, without the version. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What it has counted for {@code tenant} so far. */
  public Bill bill(String tenant) {
    return bills.getOrDefault(tenant, Bill.NONE);
  }

  /** The tokens of {@code text}, to a model for chats. */
  public long tokens(String text) {
    return count(EncodingType.O200K_BASE, text);
  }

  /** The words that an answer of {@code words} words is made of. */
  public static String answer(int words) {
    return Answers.text(words);
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private interface Handler {
    void handle(HttpExchange exchange, String tenant, JsonNode request) throws IOException;
  }

  private static void handle(HttpExchange exchange, Handler handler) throws IOException {
    try (exchange) {
      String key = exchange.getRequestHeaders().getFirst("Authorization");
      handler.handle(
          exchange,
          key.substring("Bearer ".length()),
          JSON.readTree(exchange.getRequestBody().readAllBytes()));
    }
  }

  private void chat(HttpExchange exchange, String tenant, JsonNode request) throws IOException {
    long input = PER_CHAT;
    String last = "";
    boolean hasResults = false;
    for (JsonNode message : request.get("messages")) {
      String text = Answers.textOf(message.get("content"));
      input += PER_MESSAGE + count(EncodingType.O200K_BASE, text);
      hasResults |= message.get("role").asText().equals("tool");
      last = message.get("role").asText().equals("user") ? text : last;
    }
    Script script = Script.of(last);
    if (script.has("fail")) {
      send(exchange, 500, JSON.createObjectNode().put("error", "told to fail"));
    } else if (script.has("stall")) {
      bill(tenant, new Bill(1, input, 0, 0));
      awaitClose();
    } else if (request.path("stream").asBoolean()) {
      stream(exchange, tenant, request, script, input);
    } else {
      boolean tools = script.has("tools") && !hasResults;
      ObjectNode message = JSON.createObjectNode().put("role", "assistant");
      String text =
          tools ? Answers.toolCalls(message, script.number("tools")) : answer(script.answerWords());
      if (!tools) {
        message.put("content", text);
      }
      Bill bill = bill(script, input, text);
      ObjectNode answer = Answers.envelope("chat.completion");
      ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
      choice.set("message", message);
      choice.put("finish_reason", tools ? "tool_calls" : "stop");
      if (!script.has("silent")) {
        answer.set("usage", Answers.usage(bill));
      }
      bill(tenant, bill);
      send(exchange, 200, answer);
    }
  }

  private void stream(
      HttpExchange exchange, String tenant, JsonNode request, Script script, long input)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    boolean stalls = script.has("stall-after");
    boolean cut = script.has("cut-after");
    int words =
        stalls || cut ? script.number(stalls ? "stall-after" : "cut-after") : script.answerWords();
    // Billed before the last word is out: who has read it can rely on the bill.
    Bill bill =
        stalls || cut
            ? new Bill(1, input, 0, count(EncodingType.O200K_BASE, answer(words)))
            : bill(script, input, answer(words));
    bill(tenant, bill);
    OutputStream out = exchange.getResponseBody();
    try {
      for (int i = 0; i < words; i++) {
        event(out, Answers.piece(Answers.word(i)).toString());
      }
      if (stalls) {
        event(
            out,
            Answers.piece("").toString()); // readers that look one ahead have the last word now
        awaitClose();
        return;
      }
      if (cut) {
        event(out, "{\"cut"); // neither an event nor an end
        return;
      }
      ObjectNode end = Answers.envelope("chat.completion.chunk");
      ObjectNode choice = end.putArray("choices").addObject().put("index", 0);
      choice.putObject("delta");
      choice.put("finish_reason", "stop");
      event(out, end.toString());
      if (request.path("stream_options").path("include_usage").asBoolean()
          && !script.has("silent")) {
        ObjectNode last = Answers.envelope("chat.completion.chunk");
        last.putArray("choices");
        last.set("usage", Answers.usage(bill));
        event(out, last.toString());
      }
      event(out, "[DONE]");
    } catch (IOException e) {
      // the caller has hung up; it is billed all the same
    }
  }

  private void embed(HttpExchange exchange, String tenant, JsonNode request) throws IOException {
    long input = 0;
    ObjectNode answer = JSON.createObjectNode().put("object", "list").put("model", EMBEDDING_MODEL);
    ArrayNode data = answer.putArray("data");
    JsonNode inputs = request.get("input");
    String first = inputs.isArray() ? inputs.get(0).asText() : inputs.asText();
    Script script = Script.of(first);
    for (JsonNode text : inputs.isArray() ? inputs : JSON.createArrayNode().add(inputs)) {
      input += count(EncodingType.CL100K_BASE, text.asText());
      ObjectNode item = data.addObject().put("object", "embedding").put("index", data.size() - 1);
      item.putArray("embedding").add(0.1).add(0.2).add(0.3);
    }
    if (script.has("fail")) {
      send(exchange, 500, JSON.createObjectNode().put("error", "told to fail"));
      return;
    }
    Bill bill = new Bill(1, script.has("silent") ? input : input + HIDDEN_INPUT, 0, 0);
    if (!script.has("silent")) {
      answer
          .putObject("usage")
          .put("prompt_tokens", bill.inputTokens())
          .put("total_tokens", bill.inputTokens());
    }
    bill(tenant, bill);
    send(exchange, 200, answer);
  }

  /** What is billed for an answer: with what nobody sees, if it is said. */
  private Bill bill(Script script, long input, String text) {
    long output = count(EncodingType.O200K_BASE, text);
    return script.has("silent")
        ? new Bill(1, input, 0, output)
        : new Bill(1, input + HIDDEN_INPUT, script.number("cached"), output + HIDDEN_OUTPUT);
  }

  private void bill(String tenant, Bill bill) {
    bills.merge(tenant, bill, Bill::plus);
  }

  private long count(EncodingType type, String text) {
    Encoding encoding = encodings.getEncoding(type);
    return encoding.countTokensOrdinary(text);
  }

  /** What stalls does so until the test is over. */
  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void event(OutputStream out, String data) throws IOException {
    out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(body);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
