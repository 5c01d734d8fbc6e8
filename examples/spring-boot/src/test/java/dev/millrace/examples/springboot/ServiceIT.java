package dev.millrace.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.examples.testing.Curl;
import dev.millrace.examples.testing.Readme;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;

class ServiceIT {
  /** Each key has five greetings, and gets one more every twelve seconds. */
  private static final int MOST_GREETINGS = 1_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void main_theReadmesCalls_areAnsweredAsItShows() throws Exception {
    Readme readme = Readme.here();
    List<Curl> calls = readme.curls();
    List<String> shown = readme.blocks("json");
    assertThat(calls).hasSize(4);
    assertThat(shown).hasSize(4);
    try (var context =
        (ServletWebServerApplicationContext)
            SpringApplication.run(Main.class, "--server.port=0", "--spring.main.banner-mode=off")) {
      int port = context.getWebServer().getPort();

      HttpResponse<String> greeting = calls.get(0).sendTo(port);
      assertThat(greeting.statusCode()).isEqualTo(200);
      assertThat(JSON.readTree(greeting.body())).isEqualTo(JSON.readTree(shown.get(0)));
      assertThat(greeting.headers().firstValue("ratelimit-policy")).hasValue("\"rpm\";q=5;w=60");
      assertThat(greeting.headers().firstValue("ratelimit").orElseThrow())
          .matches("\"rpm\";r=\\d;t=\\d+");
      assertRefused(untilRefused(calls.get(0), port), JSON.readTree(shown.get(1)));

      HttpResponse<String> summary = calls.get(1).sendTo(port);
      assertThat(summary.statusCode()).isEqualTo(200);
      assertThat(JSON.readTree(summary.body())).isEqualTo(JSON.readTree(shown.get(2)));
      assertThat(calls.get(2).sendTo(port).statusCode()).isEqualTo(400);

      HttpResponse<String> left = calls.get(3).sendTo(port);
      assertThat(JSON.readTree(left.body())).isEqualTo(JSON.readTree(shown.get(3)));
    }
  }

  private static HttpResponse<String> untilRefused(Curl call, int port) throws Exception {
    HttpResponse<String> answer = call.sendTo(port);
    for (int sent = 1; sent < MOST_GREETINGS && answer.statusCode() == 200; sent++) {
      answer = call.sendTo(port);
    }
    return answer;
  }

  private static void assertRefused(HttpResponse<String> answer, JsonNode shown) throws Exception {
    JsonNode problem = JSON.readTree(answer.body());
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
    assertThat(problem.path("type")).isEqualTo(shown.path("type"));
    assertThat(problem.at("/violations/0/entity")).isEqualTo(shown.at("/violations/0/entity"));
    assertThat(problem.at("/violations/0/limit")).isEqualTo(shown.at("/violations/0/limit"));
    assertThat(problem.fieldNames()).toIterable().containsExactlyElementsOf(shown::fieldNames);
  }
}
