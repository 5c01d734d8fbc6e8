package dev.millrace.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spring.support.App;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A check that the sample of the guide is a whole application, short, and works with both lines of
 * Boot. NewcomerIT, which has no other dependencies, checks that its POM is sufficient.
 */
class NewcomerTest {
  private static final int MOST_LINES = 15;

  @Test
  void example_hasAtMost15Lines() throws Exception {
    Guide guide = Guide.read("docs/guide/spring-boot.md");

    long lines =
        Stream.of(guide.newcomer("java"), guide.newcomer("yaml"))
            .flatMap(String::lines)
            .filter(line -> !line.isBlank())
            .count();

    assertThat(lines).isLessThanOrEqualTo(MOST_LINES);
  }

  @Test
  void example_limitsItsEndpoint(@TempDir Path directory) throws Exception {
    Guide guide = Guide.read("docs/guide/spring-boot.md");
    Guide.compile("Shop", guide.newcomer("java"), directory);
    Files.writeString(directory.resolve("application.yml"), guide.newcomer("yaml"));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      try (App app = App.of(run(loader.loadClass("shop.Shop")))) {
        for (int i = 0; i < 5; i++) {
          assertThat(app.get("/quotes/ann").body()).isEqualTo("42");
        }

        HttpResponse<String> sixth = sixth(app);

        assertThat(sixth.statusCode()).isEqualTo(429);
        assertThat(App.field(sixth, "Content-Type")).startsWith("application/problem+json");
        assertThat(Long.parseLong(App.field(sixth, "Retry-After"))).isBetween(1L, 12L);
        assertThat(sixth.body()).contains("\"limit\":\"rpm\"");
        assertThat(app.get("/quotes/bob").statusCode()).isEqualTo(200);
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static ConfigurableApplicationContext run(Class<?> application) {
    return SpringApplication.run(
        application,
        "--server.port=0",
        "--spring.main.banner-mode=off",
        "--server.shutdown=immediate");
  }

  /** A token returns every 12 s: on a machine that stalls, a sixth may pass, but not many. */
  private static HttpResponse<String> sixth(App app) throws Exception {
    HttpResponse<String> answer = app.get("/quotes/ann");
    for (int i = 0; i < 100 && answer.statusCode() == 200; i++) {
      answer = app.get("/quotes/ann");
    }
    return answer;
  }
}
