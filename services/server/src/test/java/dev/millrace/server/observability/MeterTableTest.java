package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.server.Await;
import dev.millrace.server.security.KeyGuard;
import dev.millrace.server.security.KeyRing;
import dev.millrace.server.security.NewKey;
import dev.millrace.server.security.Scope;
import dev.millrace.testkit.InMemoryStore;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registered metrics are those of the documented table and of the Grafana dashboard. */
class MeterTableTest {
  private static final Path TABLE = Path.of("../../docs/operate/observability.md");
  private static final Path DASHBOARD = Path.of("../../tools/deploy/grafana/millrace.json");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(millrace\\.[a-z.]+)` \\|");
  private static final Pattern DRAWN = Pattern.compile("\\bmillrace_[a-z_]+");

  /** The suffixes that the exposition format adds to the name of a meter. */
  private static final Pattern SUFFIX =
      Pattern.compile("(_seconds)?(_total|_count|_sum|_max|_bucket)?$");

  @TempDir private Path directory;

  @Test
  void table_comparedWithTheServer_namesEveryMeterAndNoOther() throws Exception {
    NewKey key = NewKey.of("any", Set.of(Scope.READ), null, null);
    Path keys = Files.writeString(directory.resolve("keys.yaml"), "keys:\n" + key.entry());
    try (Observed observed = new Observed(new InMemoryStore(), OpenTelemetry.noop());
        KeyGuard guard =
            new KeyGuard(
                KeyRing.watch(keys, Duration.ofMinutes(1)),
                1,
                InstantSource.system(),
                observed.meters())) {
      assertThat(guard).as("what counts callers without a key").isNotNull();
      observed.get("/health");
      Await.until(
          "the request is counted",
          () -> observed.meters().find(RequestObserver.TIMER).timer() != null);
      Set<String> registered = new TreeSet<>();
      observed
          .meters()
          .forEachMeter(
              meter -> {
                if (meter.getId().getName().startsWith("millrace.")) {
                  registered.add(meter.getId().getName());
                }
              });
      assertThat(written()).isEqualTo(registered);
    }
  }

  @Test
  void dashboard_everyMetricOnIt_isInTheTable() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
    Set<String> drawn = new TreeSet<>();
    Set<String> unknown = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    written().forEach(name -> names.add(name.replace('.', '_')));
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        Matcher metrics = DRAWN.matcher(target.get("expr").asText());
        while (metrics.find()) {
          String name = SUFFIX.matcher(metrics.group()).replaceFirst("");
          (names.contains(name) ? drawn : unknown).add(metrics.group());
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(drawn).hasSizeGreaterThan(10);
  }

  private static Set<String> written() throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher rows = ROW.matcher(Files.readString(TABLE));
    while (rows.find()) {
      names.add(rows.group(1));
    }
    return names;
  }
}
