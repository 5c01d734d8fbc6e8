package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditAdminTest {
  private final World world = new World();
  private final AuditAdmin audit = world.ns.audit();

  private static List<String> names(List<AuditEntry> events) {
    return events.stream().map(event -> event.after().get("name")).toList();
  }

  @Test
  void all_manyPages_areOrderedByTimeNewestFirst() {
    world.ns.entities().create(NewEntity.of("e").named("0"));
    for (int i = 1; i < 25; i++) {
      if (i % 3 == 0) {
        world.clock.advance(Duration.ofMillis(1));
      }
      world.ns.entities().update("e", EntityUpdate.none().name(String.valueOf(i)));
    }
    List<String> expected = new ArrayList<>();
    for (int i = 24; i >= 0; i--) {
      expected.add(String.valueOf(i));
    }

    List<String> bySubject = new ArrayList<>();
    List<String> byNamespace = new ArrayList<>();
    AuditQuery query = AuditQuery.newest(4);
    do {
      Page<AuditEntry> page = audit.ofEntity("e", query);
      bySubject.addAll(names(page.items()));
      query = query.after(page.cursor());
    } while (query.cursor() != null);
    do {
      Page<AuditEntry> page = audit.all(query);
      byNamespace.addAll(names(page.items()));
      query = query.after(page.cursor());
    } while (query.cursor() != null);

    assertThat(bySubject).isEqualTo(expected);
    assertThat(byNamespace).isEqualTo(expected);
  }

  @Test
  void of_timeRange_includesBothEnds() {
    world.ns.entities().create(NewEntity.of("e").named("0"));
    for (int i = 1; i < 10; i++) {
      world.clock.advance(Duration.ofSeconds(1));
      world.ns.entities().update("e", EntityUpdate.none().name(String.valueOf(i)));
    }
    Instant start = Instant.ofEpochMilli(World.START_MS);

    AuditQuery range = AuditQuery.newest(100).from(start.plusSeconds(3)).to(start.plusSeconds(6));

    assertThat(names(audit.ofEntity("e", range).items())).containsExactly("6", "5", "4", "3");
    assertThat(names(audit.all(range).items())).containsExactly("6", "5", "4", "3");
    assertThat(audit.all(AuditQuery.newest(9).to(start.minusMillis(1))).items()).isEmpty();
    assertThat(audit.all(AuditQuery.newest(9).from(start.plusSeconds(10))).items()).isEmpty();
  }

  @Test
  void event_everything_isThere() {
    world.ns.as("alice@example.com").entities().create(NewEntity.of("e").named("E"));

    AuditEntry event = audit.ofEntity("e", AuditQuery.newest(1)).items().get(0);

    assertThat(event.subject()).isEqualTo("e");
    assertThat(event.actor()).isEqualTo("alice@example.com");
    assertThat(event.action()).isEqualTo("entity.create");
    assertThat(event.at()).isEqualTo(Instant.ofEpochMilli(World.START_MS));
    assertThat(event.id()).matches("\\d{13}-[0-9a-f]{15}");
    assertThat(event.before()).isEmpty();
    assertThat(event.after())
        .isEqualTo(Map.of("name", "E", "cascade", "false", "disabled", "false"));
    assertThat(event.expiresAt()).isEqualTo(event.at().plus(Duration.ofDays(90)));
  }

  @Test
  void retention_fromSettings_holdsFromTheNextEvent() {
    world.ns.entities().create(NewEntity.of("a"));
    world.ns.limits().setAuditRetentionDays(7);
    world.ns.entities().create(NewEntity.of("b"));

    AuditEntry event = audit.ofEntity("b", AuditQuery.newest(1)).items().get(0);
    assertThat(event.expiresAt()).isEqualTo(event.at().plus(Duration.ofDays(7)));
    assertThat(audit.ofSystem(AuditQuery.newest(1)).items().get(0).after())
        .isEqualTo(Map.of("auditRetentionDays", "7"));
  }

  @Test
  void retention_changedByAnother_isKnownWithinAMinute() {
    world.ns.entities().create(NewEntity.of("a"));
    world.another().in(World.NS).limits().setAuditRetentionDays(7);
    world.clock.advance(Duration.ofMinutes(1));
    world.ns.entities().create(NewEntity.of("b"));
    AuditEntry event = audit.ofEntity("b", AuditQuery.newest(1)).items().get(0);
    assertThat(event.expiresAt()).isEqualTo(event.at().plus(Duration.ofDays(7)));
  }

  @Test
  void ids_clockSetBack_doNotRunBackwards() {
    world.ns.entities().create(NewEntity.of("e").named("0"));
    world.clock.set(World.START_MS - 60_000);
    world.ns.entities().update("e", EntityUpdate.none().name("1"));
    assertThat(names(audit.ofEntity("e", AuditQuery.newest(9)).items())).containsExactly("1", "0");
  }

  @Test
  void everyChange_hasExactlyOneEvent() {
    EntityAdmin entities = world.ns.entities();
    entities.create(NewEntity.of("p"));
    entities.create(NewEntity.of("e"));
    entities.update("e", EntityUpdate.none().cascade(true));
    entities.move("e", "p");
    world.ns.entities().setDisabled("e", true);
    world.ns.entities().setDisabled("e", false);
    world.ns.limits().set(LimitTarget.entity("e"), World.RPM_10);
    world.ns.limits().delete(LimitTarget.entity("e"));
    world.ns.limits().set(LimitTarget.resource("r"), World.RPM_10);
    world.ns.limits().setCascade(LimitTarget.resource("r"), true, ProgressListener.NONE);
    world.ns.limits().setDisabled("r", true);
    world.ns.buckets().reset("e", "r", "op-1");
    entities.delete("e");

    List<String> actions =
        new ArrayList<>(
            audit.all(AuditQuery.newest(100)).items().stream().map(AuditEntry::action).toList());
    Collections.reverse(actions);

    assertThat(actions)
        .containsExactly(
            "entity.create",
            "entity.create",
            "entity.update",
            "entity.move",
            "entity.disable",
            "entity.enable",
            "limits.set",
            "limits.delete",
            "limits.set",
            "cascade.set",
            "resource.disable",
            "bucket.reset",
            "entity.delete");
    assertThat(audit.ofResource("r", AuditQuery.newest(10)).items())
        .extracting(AuditEntry::action)
        .containsExactly("resource.disable", "cascade.set", "limits.set");
  }

  @Test
  void queries_badInput_areMistakes() {
    assertThatThrownBy(() -> audit.ofEntity("$SYSTEM", AuditQuery.newest(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> audit.ofResource("a#b", AuditQuery.newest(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> audit.all(AuditQuery.newest(0)))
        .hasMessage("pageSize 0 must be from 1 to 100");
  }
}
