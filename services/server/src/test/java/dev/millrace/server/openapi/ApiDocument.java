package dev.millrace.server.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/** The description of the routes, and whether answers are as it says. */
public final class ApiDocument {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private static final SchemaValidatorsConfig CONFIG =
      SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

  private final JsonNode document;

  private ApiDocument(JsonNode document) {
    this.document = document;
  }

  /** The one that is served. */
  public static ApiDocument read() {
    try (InputStream in = OpenApi.class.getResourceAsStream("openapi.yaml")) {
      Object yaml = new Yaml().load(Objects.requireNonNull(in));
      return new ApiDocument(JSON.valueToTree(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code GET /v1/me} and so on. */
  public Set<String> operations() {
    Set<String> operations = new TreeSet<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        name -> {
                          if (!name.equals("parameters")) {
                            operations.add(name.toUpperCase(Locale.ROOT) + " " + path.getKey());
                          }
                        }));
    return operations;
  }

  /** The differences of a response from its description; empty for none. */
  public Collection<String> wrong(String method, String path, int status, JsonNode body) {
    String template = template(method, path);
    if (template == null) {
      return Set.of(method + " " + path + " is not described");
    }
    JsonNode responses =
        document.get("paths").get(template).get(method.toLowerCase(Locale.ROOT)).get("responses");
    JsonNode response = responses.get(String.valueOf(status));
    if (response == null && status < 400) {
      return Set.of(method + " " + template + " is not described to answer " + status);
    }
    JsonNode described = resolved(response == null ? responses.get("default") : response);
    JsonNode schema =
        described.get("content").properties().iterator().next().getValue().get("schema");
    ObjectNode whole = schema.deepCopy();
    whole.set("components", document.get("components"));
    Set<String> wrong = new TreeSet<>();
    for (ValidationMessage message : SCHEMAS.getSchema(whole, CONFIG).validate(body)) {
      wrong.add(message.toString());
    }
    return wrong;
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }

  private @Nullable String template(String method, String path) {
    for (String operation : operations()) {
      String template = operation.substring(operation.indexOf(' ') + 1);
      String pattern = template.replaceAll("[.]", "[.]").replaceAll("\\{\\w+}", "[^/]+");
      if (operation.startsWith(method + " ") && path.matches(pattern)) {
        return template;
      }
    }
    return null;
  }
}
