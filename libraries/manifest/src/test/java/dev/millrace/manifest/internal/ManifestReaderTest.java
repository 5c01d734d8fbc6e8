package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.World;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {
  private static final class Heard implements SpecSink {
    private final List<SystemSpec> systems = new ArrayList<>();
    private final Map<String, LevelSpec> resources = new TreeMap<>();
    private final Map<String, EntitySpec> entities = new TreeMap<>();
    private final List<String> places = new ArrayList<>();

    private EntitySpec entity(String id) {
      return Objects.requireNonNull(entities.get(id));
    }

    @Override
    public void at(int line, int column) {
      places.add(line + ":" + column);
    }

    @Override
    public void system(SystemSpec spec) {
      systems.add(spec);
    }

    @Override
    public void resource(String name, LevelSpec spec) {
      resources.put(name, spec);
    }

    @Override
    public void entity(EntitySpec spec) {
      entities.put(spec.id(), spec);
    }
  }

  @Test
  void read_everything_isHeardWithItsPlace() {
    Heard heard = new Heard();
    ManifestHeader header =
        ManifestReader.read(
            new StringReader(
                """
                version: 1
                name: tenants
                namespace: prod
                system:
                  limits: [rpm:1000/min]
                  onUnavailable: allow
                  auditRetentionDays: 30
                resources:
                  gpt-4:
                    limits:
                      - rpm:100
                      - {name: tpm, rate: 6000, scope: global}
                    cascade: false
                entities:
                  acme:
                  key:1@x:
                    name: Key one
                    parent: acme
                    cascade: true
                    metadata: {plan: gold, seats: 5}
                    limits: [rpm:5]
                    resources:
                      gpt-4: {limits: ["rpm:7/min:9:soft"], cascade: true}
                  "no": {limitsOnly: true, limits: [rpm:1]}
                """),
            heard);

    assertThat(header).isEqualTo(new ManifestHeader("tenants", "prod", false));
    assertThat(heard.systems)
        .containsExactly(
            new SystemSpec(LimitSet.of(Limit.perMinute("rpm", 1_000)), OnUnavailable.ALLOW, 30));
    assertThat(heard.resources)
        .containsEntry(
            "gpt-4",
            new LevelSpec(
                LimitSet.of(Limit.perMinute("rpm", 100)),
                LimitSet.of(Limit.perMinute("tpm", 6_000)),
                false,
                null));
    assertThat(heard.entities.keySet()).containsExactly("acme", "key:1@x", "no");
    EntitySpec key = heard.entity("key:1@x");
    assertThat(key.parent()).isEqualTo("acme");
    assertThat(key.cascade()).isTrue();
    assertThat(key.disabled()).isNull();
    assertThat(key.metadata()).containsEntry("plan", "gold").containsEntry("seats", "5");
    assertThat(key.own().limits()).isEqualTo(LimitSet.of(Limit.perMinute("rpm", 5)));
    assertThat(Objects.requireNonNull(key.resources().get("gpt-4")).limits())
        .isEqualTo(LimitSet.of(Limit.perMinute("rpm", 7).withBurst(9).asSoft()));
    assertThat(heard.entity("no").recorded()).isFalse();
    assertThat(heard.places).contains("4:1", "9:3", "15:3", "16:3", "24:3");
  }

  /** The original took the burst for the rate: 100 a minute became 500. */
  @Test
  void burst_neverChangesTheRate() {
    Heard heard = new Heard();
    ManifestReader.read(
        new StringReader(
            "version: 1\nresources: {r: {limits: [{name: rpm, rate: 100, burst: 500}]}}"),
        heard);

    assertThat(Objects.requireNonNull(heard.resources.get("r")).limits())
        .isEqualTo(LimitSet.of(Limit.perMinute("rpm", 100).withBurst(500)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "version: 2 | line 1, column 10: version '2': must be 1",
        "name: x | version: must be there",
        "[1] | must be names with values",
        "`` | is empty",
        "version: 1;limit: {} | line 2, column 1: (file) 'limit': is not known here",
        "version: 1;version: 1 | line 2, column 1: (file) 'version': is there twice",
        "version: 1;system: {limit: []} | line 2, column 10: system 'limit': is not known here",
        "version: 1;system: {limits: []} | line 2, column 18: system.limits: must be a list of at least one",
        "version: 1;system: {limits: [rpm]} | line 2, column 19: system.limits[0] 'rpm': limit 'rpm' is not of the form",
        "version: 1;system: {limits: [rpm:0]} | system.limits[0] 'rpm:0': limit 'rpm': capacity 0 must be",
        "version: 1;system: {limits: [rpm:1, rpm:2]} | system.limits: limits: 'rpm' is given twice",
        "version: 1;system: {limits: [wcu:1]} | wcu",
        "version: 1;system: {limits: [{name: a, rate: 1, scope: global}]} | line 2, column 45: system.limits[0].scope 'global': only limits of a resource",
        "version: 1;system: {limits: [{name: a, rate: 1, scope: world}]} | 'world': must be global or region",
        "version: 1;system: {limits: [{name: a, rate: -1}]} | system.limits[0].rate '-1': must be a number",
        "version: 1;system: {limits: [{name: a, rate: '1'}]} | must be a number",
        "version: 1;system: {limits: [{name: a, rate: 1.0005}]} | at most 3 decimals",
        "version: 1;system: {limits: [{name: a, rate: 1, per: week}]} | .per 'week': must be [N]ms",
        "version: 1;system: {limits: [{name: a}]} | must have a name and a rate",
        "version: 1;system: {limits: [{name: a, rate: 5, capacity: 9, burst: 7}]} | burst 7 is below the capacity 9",
        "version: 1;system: {limits: [{name: a, rate: 5, refill: 9}]} | 'refill': is not known here",
        "version: 1;system: {onUnavailable: maybe} | line 2, column 25: system.onUnavailable 'maybe': must be block or allow",
        "version: 1;system: {auditRetentionDays: 0} | must be from 1 to 36600",
        "version: 1;resources: {'a#b': {}} | line 2, column 13: resources.a#b 'a#b'",
        "version: 1;resources: {a: {disabled: yes}} | resources.a.disabled 'yes': must be true or false",
        "version: 1;resources: [a] | resources: must be names with values",
        "version: 1;entities: {a: {}, a: {}} | line 2, column 19: entities 'a': is there twice",
        "version: 1;entities: {a: {parent: 'x y'}} | entities.a.parent 'x y'",
        "version: 1;entities: {a: {metadata: {millrace.x: y}}} | keys that begin with millrace. are reserved",
        "version: 1;entities: {a: {limitsOnly: true, name: x}} | only limits and resources",
        "version: 1;entities: {a: {resources: {r: {disabled: true}}}} | entities.a.resources.r 'disabled': is not known here",
        "version: 1;entities: {a: &x {}, b: *x} | line 2, column 15: entities.a: anchors and aliases",
        "version: 1;entities: {a: {name: !!int 5}} | tags are not allowed",
        "version: 1;entities: {a: {name: [x]}} | entities.a.name: must be a text",
        "version: 1;--- ;version: 1 | must be one document",
        "version: 1;entities: {a: | line 2, column 14: (file): is not YAML"
      })
  void mistake_isRefusedWithPlaceValueAndRule(String yaml, String message) {
    assertThatThrownBy(
            () -> ManifestOutline.of(World.source(yaml.replace(";", "\n").stripTrailing())))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining(message.strip());
  }

  @Test
  void severalMistakes_areToldTogether() {
    assertThatThrownBy(
            () ->
                ManifestOutline.of(
                    World.source(
                        """
                        version: 1
                        system: {limits: [rpm]}
                        entities:
                          a: {cascade: maybe}
                          b: {parnet: a}
                        """)))
        .isInstanceOfSatisfying(
            ManifestException.class,
            e ->
                assertThat(e.problems())
                    .extracting(problem -> problem.line())
                    .containsExactly(2, 4, 5));
  }

  @Test
  void disagreementWithItself_isRefused() {
    refused(
        "version: 1\nentities:\n  a: {parent: b}\n  b: {parent: c}\n  c: {parent: a}\n",
        "entities.a.parent 'b': is its own ancestor");
    refused(
        "version: 1\nentities:\n  a: {parent: b}\n  b: {limitsOnly: true}\n",
        "line 3",
        "has limits only");
    refused(
        "version: 1\nsystem: {limits: [rpm:1/min]}\nresources:\n  r: {limits: [rpm:1/hour]}\n",
        "line 4, column 3: resources.r.limits 'rpm:1/hour': has another refill period",
        "allowOtherPeriods");
    assertThat(
            ManifestOutline.of(
                    World.source(
                        "version: 1\nallowOtherPeriods: true\nsystem: {limits: [rpm:1/min]}\n"
                            + "resources: {r: {limits: [rpm:1/hour]}}"))
                .resources())
        .isEqualTo(1);
  }

  private static void refused(String yaml, String... parts) {
    assertThatThrownBy(() -> ManifestOutline.of(World.source(yaml)))
        .isInstanceOf(ManifestException.class)
        .hasMessageContainingAll(parts);
  }
}
