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
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From the request down to the write, in the trace of the caller. */
class TracesTest {
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
          GrpcClients.builder("gproto+http://127.0.0.1:" + observed.server().port() + "/")
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

  /** The span of the request, below the caller's and above those of its round trips. */
  private SpanData requireTree() throws Exception {
    Await.until("the request has ended", () -> !server(exported).isEmpty());
    SpanData request = server(exported).get(0);
    assertThat(request.getTraceId()).isEqualTo(TRACE);
    assertThat(request.getParentSpanId()).isEqualTo(PARENT);
    List<SpanData> below =
        exported.getFinishedSpanItems().stream()
            .filter(span -> span.getParentSpanId().equals(request.getSpanId()))
            .toList();
    assertThat(below).extracting(SpanData::getName).contains("millrace.store.write");
    assertThat(below).extracting(SpanData::getTraceId).containsOnly(TRACE);
    assertThat(below).extracting(SpanData::getKind).containsOnly(SpanKind.CLIENT);
    return request;
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
