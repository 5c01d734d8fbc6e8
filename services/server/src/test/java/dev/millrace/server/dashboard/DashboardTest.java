package dev.millrace.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.TestParts;
import dev.millrace.testkit.InMemoryStore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DashboardTest {
  private static final Path FILES = Path.of("src/main/resources/dev/millrace/server/dashboard");

  private final HttpClient http = HttpClient.newHttpClient();
  private static final MillraceServer SERVER =
      MillraceServer.start(
          NetworkSettings.loopback(0),
          TestParts.on(new InMemoryStore()),
          new ServerLife(),
          List.of(new Dashboard()));

  @AfterAll
  static void close() {
    SERVER.close();
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(SERVER.uri().resolve(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void page_everyFileThatItNames_isServedForEver() throws Exception {
    String page = get("/").body();
    Matcher names = Pattern.compile("(?:src|href)=\"(assets/[^\"]+)\"").matcher(page);
    int found = 0;
    while (names.find()) {
      HttpResponse<String> file = get("/" + names.group(1));
      assertThat(file.statusCode()).as(names.group(1)).isEqualTo(200);
      assertThat(file.headers().firstValue("cache-control").orElseThrow()).contains("immutable");
      assertThat(file.headers().firstValue("x-content-type-options")).contains("nosniff");
      found++;
    }
    assertThat(found).isGreaterThanOrEqualTo(4);
  }

  @Test
  void page_headers_letNothingElseIn() throws Exception {
    HttpResponse<String> page = get("/");

    assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
        .contains("default-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("referrer-policy")).contains("no-referrer");
    assertThat(page.body()).doesNotContain("style=", "onclick=", "http://", "https://");
  }

  @Test
  void page_askedForAgain_isNotSentAgain() throws Exception {
    String etag = get("/").headers().firstValue("etag").orElseThrow();

    HttpResponse<String> again = get("/", "if-none-match", etag);

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void assets_otherHash_areNotFound() throws Exception {
    assertThat(get("/assets/0000000000000000/app.js").statusCode()).isEqualTo(404);
  }

  @Test
  void names_areAllFilesOfThePage() throws Exception {
    try (Stream<Path> files = Files.list(FILES)) {
      Set<String> there =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("index.html"))
              .collect(Collectors.toSet());
      assertThat(Dashboard.FILES).containsExactlyInAnyOrderElementsOf(there);
    }
  }
}
