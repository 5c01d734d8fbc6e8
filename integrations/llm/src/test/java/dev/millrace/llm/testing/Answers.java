package dev.millrace.llm.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The response format of a provider like OpenAI. */
final class Answers {
  private static final String[] WORDS = {
    "stone", "river", "wheel", "grain", "miller", "sluice", "bread", "water", "turning", "slowly"
  };

  private static final ObjectMapper JSON = new ObjectMapper();

  private Answers() {}

  /** The text of an answer of so many words. */
  static String text(int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(word(i));
    }
    return text.toString();
  }

  static String word(int index) {
    return (index == 0 ? "" : " ") + WORDS[index % WORDS.length];
  }

  /** Puts calls of tools into a message; what was produced for them, as text. */
  static String toolCalls(ObjectNode message, int count) {
    StringBuilder text = new StringBuilder();
    ArrayNode calls = message.putArray("tool_calls");
    for (int i = 0; i < count; i++) {
      String arguments = "{\"place\":\"" + WORDS[i] + "\"}";
      ObjectNode call = calls.addObject().put("id", "call-" + i).put("type", "function");
      call.putObject("function").put("name", "look_up").put("arguments", arguments);
      text.append("look_up").append(arguments);
    }
    message.putNull("content");
    return text.toString();
  }

  /** One piece of a stream. */
  static ObjectNode piece(String content) {
    ObjectNode chunk = envelope("chat.completion.chunk");
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.putObject("delta").put("role", "assistant").put("content", content);
    choice.putNull("finish_reason");
    return chunk;
  }

  static ObjectNode usage(Bill bill) {
    ObjectNode usage =
        JSON.createObjectNode()
            .put("prompt_tokens", bill.inputTokens())
            .put("completion_tokens", bill.outputTokens())
            .put("total_tokens", bill.inputTokens() + bill.outputTokens());
    usage.putObject("prompt_tokens_details").put("cached_tokens", bill.cachedTokens());
    return usage;
  }

  static ObjectNode envelope(String object) {
    return JSON.createObjectNode()
        .put("id", "chatcmpl-1")
        .put("object", object)
        .put("created", 1_700_000_000)
        .put("model", FakeProvider.CHAT_MODEL);
  }

  static String textOf(JsonNode content) {
    if (content == null || content.isNull()) {
      return "";
    }
    if (!content.isArray()) {
      return content.asText();
    }
    StringBuilder text = new StringBuilder();
    content.forEach(part -> text.append(part.path("text").asText()));
    return text.toString();
  }
}
