package dev.millrace.worker.letters;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.Window;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Reads dead letters as {@code DestinationJson} writes them. */
public final class LetterReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private LetterReader() {}

  /** The letter that {@code line} is; empty when it is none. */
  public static Optional<DeadLetter> read(String line) {
    try {
      JsonNode letter = JSON.readTree(line);
      JsonNode record = letter.path("record");
      if (!record.isObject() || !record.path("sequenceNumber").isTextual()) {
        return Optional.empty();
      }
      StreamRecord read =
          new StreamRecord(
              record.path("stream").asText(""),
              record.path("sequenceNumber").textValue(),
              record.path("createdAtMs").asLong(),
              kind(record.path("kind").asText()),
              record.path("byTimeToLive").asBoolean(),
              item(record.path("keys")),
              item(record.path("oldImage")),
              item(record.path("newImage")));
      return Optional.of(
          new DeadLetter(
              read,
              letter.path("error").asText(),
              list(letter.path("windows"), window -> Window.parse(window.asText()))));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Map<String, AttributeValue> item(JsonNode object) {
    Map<String, AttributeValue> item = new HashMap<>();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      item.put(field.getKey(), value(field.getValue()));
    }
    return item;
  }

  private static AttributeValue value(JsonNode typed) {
    if (typed.size() != 1) {
      return AttributeValue.builder().build(); // of a type that was not known when it was written
    }
    String type = typed.fieldNames().next();
    JsonNode json = typed.get(type);
    return switch (type) {
      case "S" -> AttributeValue.fromS(json.asText());
      case "N" -> AttributeValue.fromN(json.asText());
      case "B" -> AttributeValue.fromB(bytes(json));
      case "SS" -> AttributeValue.fromSs(list(json, JsonNode::asText));
      case "NS" -> AttributeValue.fromNs(list(json, JsonNode::asText));
      case "BS" -> AttributeValue.fromBs(list(json, LetterReader::bytes));
      case "L" -> AttributeValue.fromL(list(json, LetterReader::value));
      case "M" -> AttributeValue.fromM(item(json));
      case "BOOL" -> AttributeValue.fromBool(json.asBoolean());
      case "NULL" -> AttributeValue.fromNul(true);
      default -> throw new IllegalArgumentException("type " + type);
    };
  }

  private static <T> List<T> list(JsonNode array, Function<JsonNode, T> each) {
    List<T> list = new ArrayList<>();
    array.forEach(element -> list.add(each.apply(element)));
    return list;
  }

  private static SdkBytes bytes(JsonNode json) {
    return SdkBytes.fromByteArray(Base64.getDecoder().decode(json.asText()));
  }

  private static OperationType kind(String name) {
    return name.equals("UNKNOWN")
        ? OperationType.UNKNOWN_TO_SDK_VERSION
        : OperationType.valueOf(name);
  }
}
