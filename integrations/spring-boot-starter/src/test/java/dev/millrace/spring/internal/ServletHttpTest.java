package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spring.RateLimited;
import dev.millrace.spring.support.App;
import dev.millrace.spring.support.Await;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** On Tomcat. */
class ServletHttpTest extends WebContract {
  private static App app;

  @BeforeAll
  static void start() {
    app = App.servlet(Application.class, WebRulesOfTests.PROPERTIES);
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
  void request_thatFailsLater_isGivenBack() throws Exception {
    assertThat(app.get("/api/later-fails", "X-Key", "latefail").statusCode()).isEqualTo(500);

    Await.until("given back", () -> app.ledger().consumed("latefail", "api", "tokens") == 0);
    assertThat(app.ledger().consumed("latefail", "api", "requests")).isZero();
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({CommonApi.class, Api.class, Chat.class})
  static class Application {}

  @RestController
  static class Api {
    @GetMapping("/api/later/{tokens}")
    Callable<ResponseEntity<String>> later(@PathVariable String tokens) {
      return () -> ResponseEntity.ok().header("X-Tokens", tokens).body("later");
    }

    @GetMapping("/api/later-fails")
    Callable<String> laterFails() {
      return () -> {
        throw new IllegalStateException("on purpose");
      };
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
    String chat(@PathVariable String key, @RequestParam String prompt) {
      if (prompt.equals("fail")) {
        throw new IllegalStateException("on purpose");
      }
      return prompt;
    }
  }
}
