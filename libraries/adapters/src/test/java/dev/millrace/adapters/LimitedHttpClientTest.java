package dev.millrace.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.RateLimitExceededException;
import dev.millrace.adapters.support.Bench;
import dev.millrace.adapters.support.Upstream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitedHttpClientTest {
  private final Bench bench = new Bench();
  private final Upstream upstream = new Upstream();
  private final HttpClient client =
      LimitedHttpClient.of(
              HttpClient.newHttpClient(),
              bench.limiter,
              request -> request.uri().getQuery() == null ? Bench.REQUEST : null)
          .settling(
              (lease, response) ->
                  lease.adjust(
                      "tokens", response.headers().firstValueAsLong("X-Tokens").orElse(100) - 100));

  LimitedHttpClientTest() throws IOException {}

  @AfterEach
  void close() {
    upstream.close();
    bench.close();
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(upstream.url(path))).build();
  }

  @Test
  void send_isChargedAndSettledWithTheResponse() throws Exception {
    assertThat(client.send(request("/cost"), HttpResponse.BodyHandlers.discarding()).statusCode())
        .isEqualTo(200);

    assertThat(bench.consumed("calls")).isEqualTo(1);
    assertThat(bench.consumed("tokens")).isEqualTo(7);
  }

  @Test
  void sendAsync_isChargedAndSettledWithTheResponse() throws Exception {
    client.sendAsync(request("/cost"), HttpResponse.BodyHandlers.discarding()).get();

    assertThat(bench.consumed("tokens")).isEqualTo(7);
  }

  @Test
  void send_withoutAResponse_isGivenBack() {
    assertThatThrownBy(
            () -> client.send(request("/hang-up"), HttpResponse.BodyHandlers.discarding()))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () ->
                client.sendAsync(request("/hang-up"), HttpResponse.BodyHandlers.discarding()).get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IOException.class);

    assertThat(bench.consumed("calls")).isZero();
  }

  @Test
  void send_overTheLimit_isNotSent() {
    bench.exhausted();

    assertThatThrownBy(() -> client.send(request("/cost"), HttpResponse.BodyHandlers.discarding()))
        .isInstanceOf(RateLimitExceededException.class);
    assertThatThrownBy(
            () -> client.sendAsync(request("/cost"), HttpResponse.BodyHandlers.discarding()).get())
        .hasCauseInstanceOf(RateLimitExceededException.class);
    assertThat(upstream.calls).hasValue(0);
  }

  @Test
  void send_thatIsNotCharged_passes() throws Exception {
    bench.exhausted();

    client.send(request("/cost?free"), HttpResponse.BodyHandlers.discarding());

    assertThat(upstream.calls).hasValue(1);
  }
}
