package dev.millrace.server.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import dev.millrace.server.Limiters;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestServers;
import dev.millrace.server.Web;
import dev.millrace.server.security.LocalGuard;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.InMemoryUsageStore;
import dev.millrace.testkit.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Every answer of a server to fixed scenarios is as it was recorded: status, header fields and
 * body. {@code -Drecorded.write} records them again.
 */
class HttpAnswersTest {
  private static final Path RECORDED = Path.of("src/test/resources/dev/millrace/server/recorded");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final long START_MS = 1_700_000_000_000L;
  private static final long SEED = 4711;
  private static final String BASE = "/v1/namespaces/default";

  /** Ids of leases, and of failures that were logged. */
  private static final Pattern RANDOM =
      Pattern.compile("A[Q-Za-f][A-Za-z0-9_-]{50,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final ManualClock clock = new ManualClock(START_MS);
  private final InMemoryStore store = new InMemoryStore();
  private final Random random = new Random(SEED);
  private final Admin admin =
      Admin.of(
          store,
          AdminOptions.builder("recorder")
              .clockMs(clock::nowMs)
              .concurrency(1)
              .random(random)
              .build());
  private final InstantSource time = () -> Instant.ofEpochMilli(clock.nowMs());
  private final MillraceServer server =
      TestServers.start(
          new ServerParts(
              new Limiters(
                  namespace ->
                      RateLimiter.create(
                          store,
                          LimiterOptions.builder()
                              .namespace(namespace)
                              .time(clock)
                              .random(random)
                              .build())),
              admin,
              new InMemoryUsageStore(),
              new LocalGuard(),
              new SimpleMeterRegistry(),
              OpenTelemetry.noop(),
              time));
  private final Web web = Web.of(server);
  private final StringBuilder text = new StringBuilder();

  /** Placeholders of random ids, numbered in the order of their appearance. */
  private final Map<String, String> names = new HashMap<>();

  @AfterEach
  void stop() {
    server.close();
    admin.close();
  }

  private Web.Answer post(String path, String body) throws Exception {
    String json = body.replace('\'', '"');
    return record("POST " + path + "\n" + json, web.post(BASE + path, json));
  }

  private Web.Answer get(String path) throws Exception {
    return record("GET " + path, web.get(BASE + path));
  }

  private Web.Answer record(String request, Web.Answer answer) throws IOException {
    text.append(text.isEmpty() ? "" : "\n").append("> ").append(masked(request.strip()));
    text.append("\n").append(answer.status()).append('\n');
    for (Map.Entry<String, List<String>> field :
        new TreeMap<>(answer.whole().headers().map()).entrySet()) {
      if (!field.getKey().equals("date") && !field.getKey().startsWith(":")) {
        text.append(field.getKey()).append(": ");
        text.append(masked(String.join(", ", field.getValue()))).append('\n');
      }
    }
    String body = answer.whole().body();
    if (!body.isEmpty()) {
      text.append(masked(JSON.writeValueAsString(JSON.readTree(body)))).append('\n');
    }
    return answer;
  }

  private String masked(String line) {
    return RANDOM
        .matcher(line)
        .replaceAll(id -> names.computeIfAbsent(id.group(), any -> "id-" + (names.size() + 1)));
  }

  private void assertAsRecorded(String scenario) throws IOException {
    Path file = RECORDED.resolve(scenario + ".txt");
    if (System.getProperty("recorded.write") != null) {
      Files.createDirectories(RECORDED);
      Files.writeString(file, text);
    }
    assertThat(text.toString())
        .as("%s; -Drecorded.write records it again, if the change is meant", file.getFileName())
        .isEqualTo(Files.readString(file));
  }

  private static String lease(Web.Answer granted) {
    return granted.body().at("/lease/id").asText();
  }

  private void limits() {
    var tenants = admin.in("default");
    tenants.entities().create(NewEntity.of("acme"));
    tenants.entities().create(NewEntity.of("key").under("acme").cascading());
    tenants
        .limits()
        .set(
            LimitTarget.resource("gpt-4"),
            LimitSet.of(
                Limit.perMinute("rpm", 10), Limit.perMinute("tpm", 1_000).withBurst(2_000)));
  }

  @Test
  void acquireAndLease() throws Exception {
    limits();
    String ask = "{'entity':'key','resource':'gpt-4','consume':{'rpm':1,'tpm':500}";
    Web.Answer first = post("/acquire", ask + ",'balances':true}");
    String path = "/leases/" + lease(first);
    get(path);
    post(path + "/consume", "{'consume':{'tpm':100}}");
    post(path + "/adjust", "{'adjust':{'tpm':-50}}");
    post(path + "/extend", "{'ttl':'PT2M'}");
    post(path + "/release", "");
    post(path + "/release", "");
    Web.Answer second = post("/acquire", ask + "}");
    post("/leases/" + lease(second) + "/adjust", "{'adjust':{'tpm':700}}");
    clock.advance(Duration.ofSeconds(1));
    post("/leases/" + lease(second) + "/release", "");
    post("/acquire", ask + ",'lease':false}");
    post(
        "/acquire",
        "{'entity':'other','resource':'r','consume':{'rps':2},'limits':"
            + "[{'name':'rps','rate':10,'per':'PT1S','burst':20}],'balances':true}");
    assertAsRecorded("acquire");
  }

  @Test
  void refusal() throws Exception {
    limits();
    String ask = "{'entity':'key','resource':'gpt-4','lease':false,'consume':{'rpm':%s,'tpm':%s}}";
    post("/acquire", ask.formatted(9, 1_900));
    post("/acquire", ask.formatted(2, 500));
    post("/acquire", ask.formatted(11, 1));
    clock.advance(Duration.ofSeconds(9));
    post("/time-until-available", ask.formatted(5, 500).replace("'lease':false,", ""));
    post("/acquire", ask.formatted(2, 1));
    admin.in("default").entities().setDisabled("key", true);
    clock.advance(Duration.ofMinutes(2));
    post("/acquire", ask.formatted(1, 1));
    assertAsRecorded("refusal");
  }

  @Test
  void availability() throws Exception {
    limits();
    get("/entities/key/availability/gpt-4");
    post("/acquire", "{'entity':'key','resource':'gpt-4','lease':false,'consume':{'rpm':4}}");
    get("/entities/key/availability/gpt-4");
    clock.advance(Duration.ofSeconds(7));
    get("/entities/key/availability/gpt-4");
    get("/entities/nobody/availability/unlimited");
    assertAsRecorded("availability");
  }

  @Test
  void mistakes() throws Exception {
    limits();
    post("/acquire", "{'entity':'key','resource':'gpt-4','consume':{'rpm':1},'maxWait':'PT1H'}");
    post("/acquire", "{'entity':'key','resource':'gpt-4','consume':{'rpm':-1}}");
    post("/acquire", "{'entity':'key','resource':'gpt-4','consume':{'unknown':1}}");
    post("/acquire", "{'entity':'key','resource':'gpt-4'}");
    post("/acquire", "{'entity':");
    post("/acquire", "{'entity':'key','resource':'unlimited','consume':{'rpm':1}}");
    post("/leases/unknown/release", "");
    get("/nothing");
    record(
        "GET /v1/namespaces/unknown/entities/key/availability/gpt-4",
        web.get("/v1/namespaces/unknown/entities/key/availability/gpt-4"));
    assertAsRecorded("mistakes");
  }
}
