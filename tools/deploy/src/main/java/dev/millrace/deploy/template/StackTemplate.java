package dev.millrace.deploy.template;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The CloudFormation template, put together from parts, each about one subject. A test compares its
 * table with the one that {@code TableAdmin} makes.
 */
public final class StackTemplate {
  /** Most bytes of a template that CloudFormation takes without a bucket. */
  public static final int MAX_BYTES = 51_200;

  private static final List<String> PARTS =
      List.of("table", "code", "aggregator", "archive", "sync", "access", "alarms");
  private static final String DESCRIPTION =
      "Millrace: the table of a distributed rate limiter, and what works beside it.";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode root;

  private StackTemplate(ObjectNode root) {
    this.root = root;
  }

  /** The template of this version. */
  public static StackTemplate load() {
    ObjectNode root = JSON.createObjectNode();
    root.put("AWSTemplateFormatVersion", "2010-09-09");
    root.put("Description", DESCRIPTION);
    for (String part : PARTS) {
      add(root, part, read(part));
    }
    return new StackTemplate(root);
  }

  private static void add(ObjectNode root, String part, JsonNode sections) {
    for (Map.Entry<String, JsonNode> section : sections.properties()) {
      ObjectNode whole = root.withObject("/" + section.getKey());
      for (Map.Entry<String, JsonNode> named : section.getValue().properties()) {
        if (whole.replace(named.getKey(), named.getValue()) != null) {
          throw new IllegalStateException(
              "%s has %s of %s once more".formatted(part, named.getKey(), section.getKey()));
        }
      }
    }
  }

  private static JsonNode read(String part) {
    try (InputStream in = StackTemplate.class.getResourceAsStream(part + ".json")) {
      if (in == null) {
        throw new IllegalStateException("the build left out " + part + ".json");
      }
      return JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(part + ".json cannot be read", e);
    }
  }

  /** As a tree, which is the caller's own. */
  public ObjectNode tree() {
    return root.deepCopy();
  }

  /** For people. */
  public String pretty() {
    return text(JSON.writerWithDefaultPrettyPrinter()) + "\n";
  }

  /** For CloudFormation, which counts bytes. */
  public String compact() {
    return text(JSON.writer());
  }

  private String text(ObjectWriter writer) {
    try {
      return writer.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what was read can be written", e);
    }
  }

  /** The parameters. */
  public List<StackParameter> parameters() {
    List<StackParameter> parameters = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : root.get("Parameters").properties()) {
      parameters.add(StackParameter.of(each.getKey(), each.getValue()));
    }
    return parameters;
  }
}
