package dev.millrace.adapters.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.RateLimitExceededException;
import dev.millrace.adapters.support.Bench;
import dev.millrace.adapters.support.Upstream;
import java.io.IOException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitInterceptorTest {
  private final Bench bench = new Bench();
  private final Upstream upstream = new Upstream();
  private final OkHttpClient client =
      new OkHttpClient.Builder()
          .addInterceptor(
              LimitInterceptor.of(
                      bench.limiter,
                      request -> request.url().query() == null ? Bench.REQUEST : null)
                  .settling(
                      (lease, response) ->
                          lease.adjust(
                              "tokens", Long.parseLong(response.header("X-Tokens", "100")) - 100)))
          .build();

  LimitInterceptorTest() throws IOException {}

  @AfterEach
  void close() {
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
    upstream.close();
    bench.close();
  }

  private int call(String path) throws IOException {
    Request request = new Request.Builder().url(upstream.url(path)).build();
    try (Response response = client.newCall(request).execute()) {
      return response.code();
    }
  }

  @Test
  void call_isChargedAndSettledWithTheResponse() throws Exception {
    assertThat(call("/cost")).isEqualTo(200);

    assertThat(bench.consumed("calls")).isEqualTo(1);
    assertThat(bench.consumed("tokens")).isEqualTo(7);
  }

  @Test
  void call_withoutAResponse_isGivenBack() {
    assertThatThrownBy(() -> call("/hang-up")).isInstanceOf(IOException.class);

    assertThat(bench.consumed("calls")).isZero();
  }

  @Test
  void call_overTheLimit_isNotSent() throws Exception {
    bench.exhausted();

    assertThatThrownBy(() -> call("/cost"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not sent, the limiter refused: rate limit exceeded")
        .hasCauseInstanceOf(RateLimitExceededException.class);
    assertThat(upstream.calls).hasValue(0);
    assertThat(call("/cost?free")).isEqualTo(200);
  }
}
