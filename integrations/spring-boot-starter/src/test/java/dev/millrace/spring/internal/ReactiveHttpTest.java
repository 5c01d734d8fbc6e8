package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.spring.RateLimited;
import dev.millrace.spring.support.App;
import dev.millrace.spring.support.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** On Netty. */
class ReactiveHttpTest extends WebContract {
  private static App app;

  @BeforeAll
  static void start() {
    app = App.reactive(Application.class, WebRulesOfTests.PROPERTIES);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Override
  App app() {
    return app;
  }

  @Test
  void stream_whoseCallerGoesAway_isSettledWithWhatWasSent() throws Exception {
    Socket caller = listening("/live/stream", 3);
    assertThat(app.ledger().consumed("stream", "live", "tokens")).isEqualTo(100);
    caller.close();

    Await.until("settled", () -> app.ledger().consumed("stream", "live", "tokens") == 103);
    assertThat(app.ledger().consumed("stream", "live", "requests")).isEqualTo(1);
  }

  @Test
  void rateLimitedStream_whoseCallerGoesAway_isSettledWithWhatWasSent() throws Exception {
    Socket caller = listening("/words/eve?then=never", 2);
    assertThat(app.ledger().consumed("eve", "words", "tokens")).isEqualTo(50);
    caller.close();

    Await.until("settled", () -> app.ledger().consumed("eve", "words", "tokens") == 2);
  }

  @Test
  void rateLimitedStream_thatEnds_isSettledWithItsCount() throws Exception {
    HttpResponse<String> answer = app.get("/words/dan?then=end");

    assertThat(answer.body()).isEqualTo("data:one\n\ndata:two\n\n");
    Await.until("settled", () -> app.ledger().consumed("dan", "words", "tokens") == 2);
  }

  @Test
  void rateLimitedStream_thatFailsAtOnce_isGivenBack() throws Exception {
    assertThat(app.get("/words/flo?then=fail").statusCode()).isEqualTo(500);

    Await.until("given back", () -> app.ledger().consumed("flo", "words", "tokens") == 0);
    assertThat(app.ledger().consumed("flo", "words", "requests")).isZero();
  }

  @Test
  void rateLimitedStream_overTheLimit_isAProblem() throws Exception {
    app.get("/words/gus?then=end");
    app.get("/words/gus?then=end");

    HttpResponse<String> answer = app.get("/words/gus?then=end");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(App.field(answer, "Content-Type")).startsWith("application/problem+json");
  }

  /** A caller that has read {@code events} events and listens on. */
  private static Socket listening(String path, int events) throws IOException {
    Socket socket =
        app.send("GET " + path + " HTTP/1.1", "X-Key: stream", "Accept: text/event-stream");
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    for (int seen = 0; seen < events; ) {
      String line = lines.readLine();
      assertThat(line).as("the answer ended early").isNotNull();
      seen += line.startsWith("data:") ? 1 : 0;
    }
    return socket;
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({CommonApi.class, Api.class, Chat.class})
  static class Application {
    /** Waits for nothing when it ends, instead of two quiet seconds. */
    @Bean
    ReactorResourceFactory reactorResources() {
      ReactorResourceFactory resources = new ReactorResourceFactory();
      resources.setShutdownQuietPeriod(Duration.ZERO);
      return resources;
    }
  }

  @RestController
  static class Api {
    @GetMapping("/api/later/{tokens}")
    Mono<ResponseEntity<String>> later(@PathVariable String tokens) {
      return Mono.fromSupplier(() -> ResponseEntity.ok().header("X-Tokens", tokens).body("later"));
    }

    @GetMapping(path = "/live/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> stream(@RequestAttribute("millrace.lease") Lease lease) {
      return Flux.just("a", "b", "c")
          .doOnNext(word -> lease.adjust("tokens", 1))
          .concatWith(Flux.never());
    }
  }

  @RestController
  static class Chat {
    @RateLimited(
        entity = "#key",
        resource = "chat",
        limits = {"requests:3/day", "tokens:1000/day"},
        consume = {"requests", "tokens=100"},
        settle = "tokens=#result.length()")
    @GetMapping("/chat/{key}")
    Mono<String> chat(@PathVariable String key, @RequestParam String prompt) {
      return prompt.equals("fail")
          ? Mono.error(new IllegalStateException("on purpose"))
          : Mono.just(prompt);
    }

    @RateLimited(
        entity = "#key",
        resource = "words",
        limits = {"requests:2/day", "tokens:1000/day"},
        consume = {"requests", "tokens=50"},
        settle = "tokens=#count")
    @GetMapping(path = "/words/{key}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> words(@PathVariable String key, @RequestParam String then) {
      return switch (then) {
        case "never" -> Flux.just("one", "two").concatWith(Flux.never());
        case "fail" -> Flux.error(new IllegalStateException("on purpose"));
        default -> Flux.just("one", "two");
      };
    }
  }
}
