package dev.millrace.adapters.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.Lease;
import dev.millrace.adapters.support.Bench;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a JAX-RS server, over HTTP. */
class LimitFilterTest {
  private final Bench bench = new Bench();
  private final HttpServer server =
      JdkHttpServerFactory.createHttpServer(
          URI.create("http://127.0.0.1:0/"),
          new ResourceConfig(Shop.class)
              .register(
                  LimitFilter.of(
                          bench.limiter,
                          request ->
                              request.getUriInfo().getPath().startsWith("free")
                                  ? null
                                  : Bench.REQUEST)
                      .withLimitHeaders()));

  @AfterEach
  void close() {
    server.stop(0);
    bench.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void request_admitted_isSettledAndTold() throws Exception {
    HttpResponse<String> answer = get("/shop/quote");

    assertThat(answer.body()).isEqualTo("42");
    assertThat(answer.headers().firstValue("RateLimit"))
        .hasValue("\"calls\";r=4;t=17280, \"tokens\";r=993;t=605");
    assertThat(bench.consumed("calls")).isEqualTo(1);
    assertThat(bench.consumed("tokens")).isEqualTo(7);
  }

  @Test
  void request_overTheLimit_isAProblem() throws Exception {
    bench.exhausted();

    HttpResponse<String> answer = get("/shop/quote");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("17280");
    assertThat(answer.body()).contains("\"limit\":\"calls\"").doesNotContain("\"tokens\"");
    assertThat(get("/free").statusCode()).isEqualTo(404);
  }

  @Test
  void request_answeredWith5xx_isGivenBack() throws Exception {
    assertThat(get("/shop/broken").statusCode()).isEqualTo(503);

    assertThat(bench.consumed("calls")).isZero();
    assertThat(bench.consumed("tokens")).isZero();
  }

  /** A resource that knows what its answers cost. */
  @Path("/shop")
  public static class Shop {
    @GET
    @Path("/quote")
    public String quote(@Context ContainerRequestContext request) {
      Lease lease = Objects.requireNonNull(LimitFilter.lease(request));
      lease.adjust("tokens", 7 - lease.consumed("tokens"));
      return "42";
    }

    @GET
    @Path("/broken")
    public String broken() {
      throw new WebApplicationException(503);
    }
  }
}
