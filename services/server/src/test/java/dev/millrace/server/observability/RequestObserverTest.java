package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.millrace.server.Await;
import dev.millrace.testkit.InMemoryStore;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** From the request down to the write, in the trace of the caller. */
class RequestObserverTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

  private final InMemorySpanExporter exported = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exported))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();

  @Test
  void acquire_overHttp_isOneTreeUnderTheCallersSpan() throws Exception {
    try (Observed observed = new Observed(new InMemoryStore(), telemetry)) {
      String body =
          "{\"entity\":\"acme\",\"resource\":\"api\",\"consume\":{\"rpm\":1},\"lease\":false,"
              + "\"limits\":[{\"name\":\"rpm\",\"rate\":10}]}";
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          observed.server().uri().resolve("/v1/namespaces/default/acquire"))
                      .header("traceparent", TRACEPARENT)
                      .header("content-type", "application/json")
                      .POST(HttpRequest.BodyPublishers.ofString(body))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(requireTree().getName()).isEqualTo("POST /v1/namespaces/:namespace/acquire");
    }
  }

  @Test
  void shouldRateLimit_askedByAProxy_isOneTreeUnderItsSpan() throws Exception {
    try (Observed observed = new Observed(new InMemoryStore(), telemetry)) {
      RateLimitServiceBlockingStub client =
          GrpcClients.builder("gproto+http://127.0.0.1:" + observed.server().uri().getPort() + "/")
              .addHeader(HttpHeaderNames.of("traceparent"), TRACEPARENT)
              .build(RateLimitServiceBlockingStub.class);
      client.shouldRateLimit(
          RateLimitRequest.newBuilder()
              .setDomain("edge")
              .addDescriptors(
                  RateLimitDescriptor.newBuilder()
                      .addEntries(
                          RateLimitDescriptor.Entry.newBuilder().setKey("tenant").setValue("acme")))
              .build());
      assertThat(requireTree().getName()).contains("ShouldRateLimit");
    }
  }

  @Test
  void acquires_manyAtOnce_areEachInOneGroup() throws Exception {
    try (Observed observed = new Observed(new InMemoryStore(), telemetry)) {
      int requests = 40;
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        answers.add(client.sendAsync(acquire(observed), HttpResponse.BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
      Await.until("all groups have ended", () -> grouped() == requests);
    }
  }

  private long grouped() {
    return named(exported, "millrace.group").stream()
        .mapToLong(group -> group.getAttributes().get(AttributeKey.longKey("millrace.requests")))
        .sum();
  }

  /** A group that follows another has a trace of its own, to which its requests have links. */
  @Test
  void linked_servedByTheGroupOfAnother_hasALinkToIt() {
    Tracer tracer = telemetry.getTracer(Telemetry.SCOPE);
    Span request = tracer.spanBuilder("request").startSpan();
    Span group = tracer.spanBuilder("millrace.group").setNoParent().startSpan();
    CompletableFuture<String> asked = new CompletableFuture<>();
    CompletableFuture<String> waiting =
        Context.root().with(request).wrapSupplier(() -> GroupSpans.linked(asked)).get();
    Context serving = new GroupSpans.Group(Context.root(), group).context();
    assertThat(serving.wrapSupplier(() -> waiting.complete("served")).get()).isTrue();
    request.end();
    assertThat(named(exported, "request").get(0).getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactly(group.getSpanContext().getSpanId());
  }

  private final HttpClient client = HttpClient.newHttpClient();

  private static HttpRequest acquire(Observed observed) {
    String body =
        "{\"entity\":\"acme\",\"resource\":\"api\",\"consume\":{\"rpm\":1},\"lease\":false,"
            + "\"limits\":[{\"name\":\"rpm\",\"rate\":1000}]}";
    return HttpRequest.newBuilder(observed.server().uri().resolve("/v1/namespaces/default/acquire"))
        .header("content-type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** The span of the request, below the caller's; its group below it, and the write below that. */
  private SpanData requireTree() throws Exception {
    Await.until("the request has ended", () -> !server(exported).isEmpty());
    SpanData request = server(exported).get(0);
    assertThat(request.getTraceId()).isEqualTo(TRACE);
    assertThat(request.getParentSpanId()).isEqualTo(PARENT);
    Await.until("its group has ended", () -> !named(exported, "millrace.group").isEmpty());
    SpanData group = named(exported, "millrace.group").get(0);
    assertThat(group.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(group.getAttributes().get(AttributeKey.longKey("millrace.requests"))).isEqualTo(1);
    List<SpanData> below =
        exported.getFinishedSpanItems().stream()
            .filter(span -> span.getParentSpanId().equals(group.getSpanId()))
            .toList();
    assertThat(below).extracting(SpanData::getName).contains("millrace.store.write");
    assertThat(below).extracting(SpanData::getTraceId).containsOnly(TRACE);
    assertThat(below).extracting(SpanData::getKind).containsOnly(SpanKind.CLIENT);
    return request;
  }

  private static List<SpanData> named(InMemorySpanExporter exported, String name) {
    return exported.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  private static List<SpanData> server(InMemorySpanExporter exported) {
    return exported.getFinishedSpanItems().stream()
        .filter(span -> span.getKind() == SpanKind.SERVER)
        .toList();
  }

  @Test
  void telemetry_withoutVariables_exportsNothing() {
    assertThat(Telemetry.of(Map.of("PATH", "/bin"))).isSameAs(OpenTelemetry.noop());
  }

  @Test
  void telemetry_withVariables_isMade() {
    OpenTelemetry made =
        Telemetry.of(
            Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:9",
                "OTEL_TRACES_SAMPLER",
                "always_off"));
    assertThat(made).isInstanceOf(OpenTelemetrySdk.class);
    ((OpenTelemetrySdk) made).close();
  }
}
