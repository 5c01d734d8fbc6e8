package dev.millrace.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.client.LeaseView;
import dev.millrace.spring.RateLimited;
import dev.millrace.spring.support.App;
import dev.millrace.spring.support.Await;
import dev.millrace.testkit.ManualClock;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

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
  @Import({Api.class, Chat.class})
  static class Application {
    @Bean
    ManualClock clock() {
      return new ManualClock(WebRulesOfTests.MIDNIGHT_MS);
    }

    @Bean
    Tenants tenants() {
      return new Tenants();
    }
  }

  @RestController
  static class Api {
    @GetMapping({"/api/plain", "/free", "/teams/{team}/x", "/named/x"})
    String plain() {
      return "plain";
    }

    @GetMapping("/api/cost/{tokens}")
    ResponseEntity<String> cost(@PathVariable String tokens) {
      return ResponseEntity.ok().header("X-Tokens", tokens).body("cost");
    }

    @GetMapping("/api/lease/{tokens}")
    ResponseEntity<String> lease(
        @PathVariable long tokens, @RequestAttribute("millrace.lease") LeaseView lease) {
      lease.adjust("tokens", tokens - lease.consumed("tokens"));
      return ResponseEntity.ok()
          .header("X-Tokens", Long.toString(lease.consumed("tokens")))
          .body("lease");
    }

    @GetMapping("/api/later/{tokens}")
    Callable<ResponseEntity<String>> later(@PathVariable String tokens) {
      return () -> ResponseEntity.ok().header("X-Tokens", tokens).body("later");
    }

    @GetMapping("/api/later-fails")
    Callable<String> laterFails() {
      return this::fails;
    }

    @GetMapping("/api/fails")
    String fails() {
      throw new IllegalStateException("on purpose");
    }

    @GetMapping("/api/status/{status}")
    String status(@PathVariable int status) {
      throw new ResponseStatusException(HttpStatusCode.valueOf(status));
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
