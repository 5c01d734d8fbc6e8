package dev.millrace.server.openapi;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonResponses;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The description of all routes at {@code /openapi.json}. It is written by hand, as YAML, because
 * people read it first; a test compares it with the routes and their responses.
 */
public final class OpenApi implements Feature {
  private static final String FILE = "openapi.yaml";

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    AggregatedHttpResponse response =
        JsonResponses.of(HttpStatus.OK, document(), Map.of("cache-control", "no-cache"));
    server.route().get("/openapi.json").build((context, request) -> response.toHttpResponse());
  }

  private static Object document() {
    try (InputStream in = OpenApi.class.getResourceAsStream(FILE)) {
      return new Yaml(new SafeConstructor(new LoaderOptions()))
          .load(Objects.requireNonNull(in, FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
