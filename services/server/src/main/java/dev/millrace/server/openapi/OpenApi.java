package dev.millrace.server.openapi;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.JsonWriting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The description of all routes at {@code /openapi.json}. It is kept by hand, as YAML, because
 * people read it first; a test holds it against the routes and against what they answer.
 */
public final class OpenApi implements Feature {
  private static final String FILE = "openapi.yaml";

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    HttpData json = HttpData.wrap(JsonWriting.bytes(document()));
    ResponseHeaders headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
            .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
            .build();
    server.route().get("/openapi.json").build((context, request) -> HttpResponse.of(headers, json));
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
