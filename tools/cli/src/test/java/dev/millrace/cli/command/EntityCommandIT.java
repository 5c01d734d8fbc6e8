package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EntityCommandIT {
  private static OnTable on;

  @BeforeAll
  static void tree() {
    on = OnTable.create("cli-entities");
    on.done("entity", "create", "acme", "--name", "Acme Inc");
    on.done("entity", "create", "team", "--parent", "acme", "--cascade");
    on.done(
        "entity", "create", "key-1", "--parent", "team", "--cascade", "--metadata", "plan=gold");
    on.done("entity", "create", "key-2", "--parent", "team");
    on.done("limits", "set", "rpm:10", "--entity", "key-1", "--resource", "gpt-4");
    on.done("limits", "set", "rpm:20", "--entity", "team");
  }

  @Test
  void create_json_isTheEntity() {
    JsonNode created = on.json("entity", "create", "fresh", "--name", "Fresh", "--metadata", "a=b");

    assertThat(created.at("/id").asText()).isEqualTo("fresh");
    assertThat(created.at("/name").asText()).isEqualTo("Fresh");
    assertThat(created.at("/parent").isNull()).isTrue();
    assertThat(created.at("/metadata/a").asText()).isEqualTo("b");
    assertThat(created.at("/version").asLong()).isEqualTo(1);
  }

  @Test
  void show_hasTheTreeAndTheLimits() {
    String text = on.done("entity", "show", "team");
    assertThat(text.lines().toList())
        .startsWith("acme (Acme Inc)", "  team, draws on its parent   ←")
        .contains("    key-1, draws on its parent", "    key-2");
    assertThat(text).contains("entity  team    –         rpm:20/min");
    assertThat(on.done("entity", "show", "key-1")).contains("metadata  plan = gold", "gpt-4");

    JsonNode json = on.json("entity", "show", "key-1");
    assertThat(json.at("/ancestors").toString()).isEqualTo("[\"team\",\"acme\"]");
    assertThat(json.at("/stored/0/limits/0/text").asText()).isEqualTo("rpm:10/min");
    assertThat(on.json("entity", "show", "team").at("/firstChildren").toString())
        .isEqualTo("[\"key-1\",\"key-2\"]");
  }

  @Test
  void list_rootsAndThoseWithLimits() {
    assertThat(on.done("entity", "list"))
        .contains("ID", "acme", "Acme Inc")
        .doesNotContain("key-1");
    assertThat(on.lines("entity", "list")).extracting(e -> e.at("/id").asText()).contains("acme");
    assertThat(on.done("entity", "list", "--with-limits", "gpt-4")).contains("key-1", "rpm:10/min");
    assertThat(on.lines("entity", "list", "--with-limits", "gpt-4"))
        .extracting(e -> e.at("/entity").asText())
        .containsExactly("key-1");
    assertThat(on.lines("entity", "list", "--with-default-limits"))
        .extracting(e -> e.at("/entity").asText())
        .containsExactly("team");
  }

  @Test
  void children_pageByPage() {
    List<JsonNode> first = on.lines("entity", "children", "team", "--max", "1");
    assertThat(first).hasSize(2);
    assertThat(first.get(0).at("/id").asText()).isEqualTo("key-1");

    String next = first.get(1).at("/next").asText();
    assertThat(on.done("entity", "children", "team", "--max", "1"))
        .contains("key-1", "There is more: --after ");
    assertThat(on.lines("entity", "children", "team", "--after", next))
        .extracting(e -> e.at("/id").asText())
        .containsExactly("key-2");
    assertThat(on.done("entity", "children", "key-2")).contains("has no children");
    assertThat(on.fails(3, "entity", "children", "nobody")).contains("nobody");
  }

  @Test
  void update_move_andSwitch_change() {
    on.done("entity", "create", "mover", "--parent", "acme");

    assertThat(on.done("entity", "update", "mover", "--name", "M", "--cascade", "true"))
        .startsWith("changed");
    assertThat(on.done("entity", "update", "mover", "--name", "M")).startsWith("was so already");
    assertThat(on.json("entity", "move", "mover", "--parent", "team").at("/changed").asBoolean())
        .isTrue();
    assertThat(on.json("entity", "show", "mover").at("/ancestors/0").asText()).isEqualTo("team");
    on.done("entity", "move", "mover", "--top");
    assertThat(on.done("entity", "disable", "mover")).startsWith("changed");
    assertThat(on.done("entity", "show", "mover"))
        .contains("mover (M), draws on its parent, disabled");
    assertThat(on.json("entity", "enable", "mover").at("/changed").asBoolean()).isTrue();
  }

  @Test
  void delete_removes_andRefusesParents() {
    on.done("entity", "create", "gone", "--parent", "acme");

    assertThat(on.fails(4, "entity", "delete", "acme", "--yes")).contains("has children");
    assertThat(on.fails(4, "entity", "delete", "gone")).contains("add --yes");
    assertThat(on.done("entity", "delete", "gone", "--yes")).startsWith("deleted gone");
    assertThat(on.fails(3, "entity", "show", "gone")).contains("no entity 'gone'", "entity create");
    assertThat(on.json("entity", "create", "again").at("/id").asText()).isEqualTo("again");
    assertThat(on.json("entity", "delete", "again", "--yes").at("/done").asBoolean()).isTrue();
  }

  @Test
  void mistakes_endWithTheirCodes() {
    assertThat(on.fails(4, "entity", "create", "acme")).contains("exists already", "acme");
    assertThat(on.fails(3, "entity", "create", "x", "--parent", "nobody")).contains("parent");
    assertThat(on.fails(4, "entity", "move", "acme", "--parent", "team")).contains("ancestor");
    assertThat(on.fails(2, "entity", "create", "a#b")).contains("a#b", "--help");
    assertThat(on.fails(2, "entity", "move", "acme")).contains("--parent");
    assertThat(on.fails(2, "entity", "update", "acme")).contains("nothing to change");
    assertThat(on.fails(2, "entity", "list", "--max", "0")).contains("--max 0");
    assertThat(on.fails(2, "entity")).contains("say what", "create", "children");
  }
}
