package dev.millrace.spring.internal;

import dev.millrace.Lease;
import dev.millrace.testkit.ManualClock;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The common part of the servlet and the WebFlux application. */
@RestController
class CommonApi {
  @Bean
  static ManualClock clock() {
    return new ManualClock(WebRulesOfTests.MIDNIGHT_MS);
  }

  @Bean
  static Tenants tenants() {
    return new Tenants();
  }

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
      @PathVariable long tokens, @RequestAttribute("millrace.lease") Lease lease) {
    lease.adjust("tokens", tokens - lease.consumed("tokens"));
    return ResponseEntity.ok()
        .header("X-Tokens", Long.toString(lease.consumed("tokens")))
        .body("lease");
  }

  @GetMapping("/api/status/{status}")
  String status(@PathVariable int status) {
    throw new ResponseStatusException(HttpStatusCode.valueOf(status));
  }

  @GetMapping("/api/fails")
  String fails() {
    throw new IllegalStateException("on purpose");
  }
}
