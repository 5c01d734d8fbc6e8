package dev.millrace.tests.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.core.sync.RequestBody;

/**
 * The bodies of all requests that a DynamoDB client sends, as text and in order. The members of an
 * object are sorted: the SDK writes them in the order of a hash map, which differs between
 * processes.
 */
final class RequestLog implements ExecutionInterceptor {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> lines = new ArrayList<>();

  /** Begins a step of the scenario; what is sent before the first one is left out. */
  synchronized void title(String title) {
    lines.add((lines.isEmpty() ? "" : "\n") + "# " + title + "\n");
  }

  @Override
  public synchronized void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    if (lines.isEmpty() || operation.startsWith("Describe")) {
      return; // before the first step, or asked until a table is ready
    }
    StringBuilder text = new StringBuilder(operation).append(' ');
    write(body(context), "", text);
    lines.add(text.append('\n').toString());
  }

  private static JsonNode body(Context.BeforeTransmission context) {
    RequestBody body = context.requestBody().orElseThrow();
    try (var stream = body.contentStreamProvider().newStream()) {
      return JSON.readTree(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(JsonNode node, String indent, StringBuilder text) {
    if (node.isEmpty() || isAttribute(node)) {
      text.append(node);
      return;
    }
    String inner = indent + "  ";
    String separator = "\n";
    text.append(node.isArray() ? '[' : '{');
    if (node.isArray()) {
      for (JsonNode element : node) {
        write(element, inner, text.append(separator).append(inner));
        separator = ",\n";
      }
    } else {
      for (var member : sorted(node).entrySet()) {
        text.append(separator).append(inner).append('"').append(member.getKey()).append("\" : ");
        write(member.getValue(), inner, text);
        separator = ",\n";
      }
    }
    text.append('\n').append(indent).append(node.isArray() ? ']' : '}');
  }

  /** Whether it stays on one line: a value, or an object of one, as {@code {"N":"1"}} is. */
  private static boolean isAttribute(JsonNode node) {
    return node.isValueNode() || (node.size() == 1 && node.elements().next().isValueNode());
  }

  private static Map<String, JsonNode> sorted(JsonNode object) {
    Map<String, JsonNode> members = new TreeMap<>();
    for (var member : object.properties()) {
      members.put(member.getKey(), member.getValue());
    }
    return members;
  }

  /** Everything so far. */
  synchronized String text() {
    return String.join("", lines);
  }
}
