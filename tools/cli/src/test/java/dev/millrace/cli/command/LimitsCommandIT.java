package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Limits at every level, resources, the system, and what the audit says about it. */
class LimitsCommandIT {
  private static OnTable on;

  @BeforeAll
  static void table() {
    on = OnTable.create("cli-limits");
  }

  @Test
  void limits_everyLevel_areSetShownExplainedAndDeleted() {
    on.done("entity", "create", "top");
    on.done("entity", "create", "key", "--parent", "top", "--cascade");
    on.done("system", "set", "rpm:1000");
    on.done("resource", "set", "gpt", "rpm:100", "tpm:10000/min:20000");
    on.done("limits", "set", "rpm:50", "--entity", "key");
    assertThat(on.done("limits", "set", "rpm:10", "--entity", "key", "--resource", "gpt"))
        .isEqualTo("entity+resource key gpt: changed\n");
    assertThat(on.done("limits", "set", "rpm:10", "--entity", "key", "--resource", "gpt"))
        .isEqualTo("entity+resource key gpt: was so already\n");

    assertThat(on.done("limits", "get", "--resource", "gpt"))
        .contains("resource", "gpt", "rpm:100/min tpm:10000/min:20000");
    JsonNode stored = on.json("limits", "get", "-e", "key", "-r", "gpt");
    assertThat(stored.at("/level").asText()).isEqualTo("entity+resource");
    assertThat(stored.at("/limits/0/capacityMilli").asLong()).isEqualTo(10_000);

    String explained = on.done("limits", "explain", "--entity", "key", "--resource", "gpt");
    assertThat(explained)
        .contains("key on gpt", "rpm:10/min  entity+resource  rpm:50/min (entity), rpm:100/min")
        .contains("draws on its parent: yes, says entity", "refused: no", "ancestor top, drawn on");
    JsonNode why = on.json("limits", "explain", "--entity", "key", "--resource", "gpt");
    assertThat(why.at("/level").asText()).isEqualTo("entity+resource");
    assertThat(why.at("/limits/0/elsewhere/system").asText()).isEqualTo("rpm:1000/min");
    assertThat(why.at("/levels")).hasSize(4);

    on.done("limits", "delete", "-e", "key", "-r", "gpt", "--yes");
    assertThat(on.fails(3, "limits", "get", "-e", "key", "-r", "gpt"))
        .contains("entity+resource key gpt", "limits set");
    assertThat(on.json("limits", "explain", "-e", "key", "-r", "gpt").at("/level").asText())
        .isEqualTo("entity");
    assertThat(on.done("limits", "explain", "-e", "nobody", "-r", "gpt"))
        .contains("no such entity", "tpm:10000/min:20000");
  }

  @Test
  void set_mistakes_endWithTheirCodes() {
    on.done("resource", "set", "periods", "rph:10/hour");

    assertThat(on.fails(4, "limits", "set", "rph:10/min", "-e", "x", "-r", "periods"))
        .contains("another refill period");
    on.done("limits", "set", "rph:10/min", "-e", "x", "-r", "periods", "--allow-other-period");
    assertThat(on.fails(2, "limits", "set", "rpm:", "-r", "periods"))
        .contains("'rpm:'", "name:rate");
    assertThat(on.fails(2, "limits", "set", "wcu:10", "-r", "periods")).contains("reserved");
    assertThat(on.fails(2, "limits", "explain", "-e", "x")).contains("--resource");
    assertThat(on.fails(4, "limits", "delete", "-r", "periods")).contains("--yes");
  }

  @Test
  void resource_commands_changeAndList() {
    assertThat(on.done("resource", "set", "llm", "rpm:100")).isEqualTo("resource llm: changed\n");
    assertThat(on.done("resource", "get", "llm")).contains("rpm:100/min");
    assertThat(on.lines("resource", "list"))
        .extracting(r -> r.at("/resource").asText())
        .contains("llm");
    assertThat(on.done("resource", "list")).contains("RESOURCE", "llm");
    assertThat(on.json("resource", "cascade", "llm", "off").at("/changed").asBoolean()).isTrue();
    assertThat(on.done("resource", "disable", "llm")).contains("changed");
    JsonNode stored = on.json("resource", "get", "llm");
    assertThat(stored.at("/disabled").asBoolean()).isTrue();
    assertThat(stored.at("/cascade").asBoolean()).isFalse();
    assertThat(on.done("limits", "explain", "-e", "x", "-r", "llm"))
        .contains("refused: yes, the resource is disabled");
    on.done("resource", "enable", "llm");
    on.done("resource", "cascade", "llm", "inherit");
    assertThat(on.json("resource", "delete", "llm", "--yes").at("/changed").asBoolean()).isTrue();
    assertThat(on.fails(3, "resource", "get", "llm")).contains("resource llm");
    assertThat(on.done("resource", "capacity", "llm")).contains("no buckets");
  }

  @Test
  void system_settings_areSetOneByOne() {
    assertThat(on.done("system", "set", "--on-unavailable", "allow", "--audit-days", "30"))
        .isEqualTo("system: changed\n");
    JsonNode json = on.json("system", "get");
    assertThat(json.at("/onUnavailable").asText()).isEqualTo("allow");
    assertThat(json.at("/auditRetentionDays").asInt()).isEqualTo(30);
    on.done("system", "set", "--on-unavailable", "inherit", "--audit-days", "0");
    assertThat(on.done("system", "get"))
        .contains("on unavailable  as each limiter says", "audit days      90, the default");
    assertThat(on.fails(2, "system", "set")).contains("nothing to set");
    assertThat(on.fails(2, "system", "set", "rpm")).contains("'rpm'");
    assertThat(on.fails(2, "system", "set", "--on-unavailable", "maybe")).contains("maybe");
  }

  @Test
  void system_delete_leavesTheSettings() {
    on.done("namespace", "register", "apart");
    on.done("system", "set", "rpd:7/day", "--on-unavailable", "allow", "-N", "apart");

    assertThat(on.fails(4, "system", "delete", "-N", "apart")).contains("--yes");
    assertThat(on.json("system", "delete", "-N", "apart", "--yes").at("/changed").asBoolean())
        .isTrue();

    JsonNode left = on.json("system", "get", "-N", "apart");
    assertThat(left.at("/limits")).isEmpty();
    assertThat(left.at("/onUnavailable").asText()).isEqualTo("allow");
  }

  @Test
  void audit_listsWhoChangedWhat() {
    on.done("entity", "create", "watched");
    on.done("limits", "set", "rpm:1", "-e", "watched", "-r", "r");
    on.done("limits", "set", "rpm:2", "-e", "watched", "-r", "r", "--actor", "someone-else");

    assertThat(on.done("audit", "list", "--entity", "watched"))
        .contains("tester", "entity.create", "limits.set", "someone-else")
        .contains("limit.rpm: capacity 1", "→ capacity 2");
    assertThat(on.lines("audit", "list", "--entity", "watched"))
        .extracting(event -> event.at("/action").asText() + " " + event.at("/actor").asText())
        .containsExactly("limits.set someone-else", "limits.set tester", "entity.create tester");
    assertThat(on.lines("audit", "list", "--max", "2")).hasSizeGreaterThanOrEqualTo(2);
    assertThat(on.done("audit", "list", "--resource", "never")).contains("No change is recorded");
    assertThat(on.done("audit", "list", "--entity", "watched", "--to", "2020-01-01"))
        .contains("No change is recorded");
    assertThat(on.lines("audit", "list", "--system")).isNotNull();
    assertThat(on.lines("audit", "list", "--namespaces")).isNotNull();
    assertThat(on.fails(2, "audit", "list", "--from", "yesterday")).contains("yesterday", "24h");
    assertThat(on.fails(2, "audit", "list", "--system", "--namespaces")).contains("exclusive");
  }

  @Test
  void jobs_nothingUndone_saysSo() {
    assertThat(on.done("jobs", "list")).contains("Nothing is left undone");
    assertThat(on.lines("jobs", "list")).isEmpty();
    assertThat(on.done("jobs", "resume")).contains("Nothing was left undone");
    assertThat(on.fails(3, "jobs", "resume", "nothing")).contains("no such job");
  }
}
