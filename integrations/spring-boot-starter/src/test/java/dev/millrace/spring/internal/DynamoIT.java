package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.spring.RateLimited;
import dev.millrace.spring.support.App;
import dev.millrace.spring.support.Await;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** An application whose properties name a table, on DynamoDB Local. */
class DynamoIT {
  private static App app;

  @BeforeAll
  static void start() {
    System.setProperty("aws.accessKeyId", "millrace");
    System.setProperty("aws.secretAccessKey", "millrace");
    try (DynamoDbClient client =
        DynamoDbClient.builder()
            .endpointOverride(SharedEngine.endpoint())
            .region(Region.US_EAST_1)
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build()) {
      TableAdmin.of(client, "spring").createIfMissing();
    }
    app =
        App.servlet(
            Application.class,
            "millrace.dynamodb.table=spring",
            "millrace.dynamodb.region=us-east-1",
            "millrace.dynamodb.endpoint=" + SharedEngine.endpoint(),
            "millrace.timeout=60s",
            "millrace.check-on-start=true",
            "millrace.web.headers=always",
            "millrace.web.rules[0].paths=/api/**",
            "millrace.web.rules[0].entity=#header['X-Key']",
            "millrace.web.rules[0].resource=api",
            "millrace.web.rules[0].limits=requests:3/day,tokens:1000/day",
            "millrace.web.rules[0].consume=requests,tokens=100",
            "millrace.web.rules[0].settle=tokens=#responseHeader['X-Tokens']",
            "management.endpoint.health.show-details=always");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static long consumed(String entity, String resource, String limit) {
    StoreReply reply =
        app.bean(BlockingStore.class)
            .execute(new StoreCall.Read(BucketKey.first("default", entity, resource)), 60_000);
    return Objects.requireNonNull(
                Objects.requireNonNull(((StoreReply.Found) reply).state()).find(limit))
            .consumedMilli()
        / Limit.MILLI;
  }

  @Test
  void filter_chargesAndSettlesInTheTable() throws Exception {
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> answer = app.get("/api/cost/7", "X-Key", "ann");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(App.field(answer, "RateLimit")).startsWith("\"requests\";r=" + (2 - i) + ";");
    }

    assertThat(app.get("/api/cost/7", "X-Key", "ann").statusCode()).isEqualTo(429);
    Await.until("settled", () -> consumed("ann", "api", "tokens") == 21);
    assertThat(consumed("ann", "api", "requests")).isEqualTo(3);
    assertThat(app.get("/actuator/health/millrace").body()).contains("UP");
  }

  @Test
  void method_thatCompletesLater_isChargedWithoutBlocking() throws Exception {
    assertThat(app.get("/later/bob").body()).isEqualTo("later");

    assertThat(consumed("bob", "later", "tokens")).isEqualTo(5);
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  @RestController
  static class Api {
    @GetMapping("/api/cost/{tokens}")
    ResponseEntity<String> cost(@PathVariable String tokens) {
      return ResponseEntity.ok().header("X-Tokens", tokens).body("cost");
    }

    @RateLimited(
        entity = "#key",
        resource = "later",
        limits = "tokens:1000/day",
        consume = "tokens=100",
        settle = "tokens=#result.length()")
    @GetMapping("/later/{key}")
    CompletableFuture<String> later(@PathVariable String key) {
      return CompletableFuture.completedFuture("later");
    }
  }
}
