package dev.millrace.langchain4j;

import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.millrace.llm.testing.Books;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Gives up, as the client of the JDK does, when a test says that it has waited long enough. A timer
 * would give up at another moment on a machine that stalls, perhaps before anything was asked.
 */
final class ImpatientHttp implements HttpClientBuilder {
  private final JdkHttpClientBuilder patient = new JdkHttpClientBuilder();
  private final BooleanSupplier longEnough;

  ImpatientHttp(BooleanSupplier longEnough) {
    this.longEnough = longEnough;
  }

  @Override
  public HttpClient build() {
    HttpClient client = patient.build();
    return new HttpClient() {
      @Override
      public SuccessfulHttpResponse execute(HttpRequest request) {
        var unused = CompletableFuture.supplyAsync(() -> client.execute(request), Books.apart());
        throw timeout();
      }

      @Override
      public void execute(
          HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        client.execute(request, parser, listener);
        var unused = CompletableFuture.runAsync(() -> listener.onError(timeout()), Books.apart());
      }
    };
  }

  private TimeoutException timeout() {
    Books.await("has waited long enough", longEnough);
    return new TimeoutException(new HttpTimeoutException("request timed out"));
  }

  @Override
  public Duration connectTimeout() {
    return patient.connectTimeout();
  }

  @Override
  public HttpClientBuilder connectTimeout(Duration value) {
    patient.connectTimeout(value);
    return this;
  }

  @Override
  public Duration readTimeout() {
    return patient.readTimeout();
  }

  @Override
  public HttpClientBuilder readTimeout(Duration value) {
    patient.readTimeout(value);
    return this;
  }
}
