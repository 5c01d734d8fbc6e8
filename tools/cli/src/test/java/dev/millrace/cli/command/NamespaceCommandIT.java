package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandRun;
import dev.millrace.cli.Surroundings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NamespaceCommandIT {
  private static OnTable on;

  @BeforeAll
  static void table() {
    on = OnTable.create("cli-namespaces");
  }

  @Test
  void life_ofANamespace_isToldInTextAndJson() {
    assertThat(on.done("namespace", "register", "prod")).startsWith("registered prod as ");
    JsonNode shown = on.json("namespace", "show", "prod");
    assertThat(shown.at("/name").asText()).isEqualTo("prod");
    assertThat(shown.at("/state").asText()).isEqualTo("active");
    assertThat(on.done("namespace", "show", "prod")).contains("NAME", "STATE", "prod", "active");
    assertThat(on.done("namespace", "list")).contains("prod", shown.at("/id").asText());
    assertThat(on.lines("namespace", "list"))
        .extracting(n -> n.at("/name").asText())
        .contains("prod");

    assertThat(on.done("namespace", "delete", "prod", "--yes")).startsWith("deleted prod");
    assertThat(on.json("namespace", "show", "prod").at("/state").asText()).isEqualTo("deleted");
    assertThat(on.fails(3, "entity", "list", "--namespace", "prod"))
        .contains("not in use", "namespace=prod", "recover it");
    assertThat(on.fails(4, "namespace", "purge", "prod", "--yes")).contains("too recently");
    assertThat(on.done("namespace", "recover", "prod")).isEqualTo("recovered prod\n");
    assertThat(on.done("entity", "list", "--namespace", "prod")).contains("no entities");
  }

  @Test
  void register_nameThatIsTaken_isRefused() {
    on.done("namespace", "register", "twice");

    assertThat(on.fails(4, "namespace", "register", "twice")).contains("exists already", "twice");
  }

  @Test
  void show_unknown_isNotFound() {
    assertThat(on.fails(3, "namespace", "show", "nowhere")).contains("nowhere", "namespace list");
    assertThat(on.fails(3, "entity", "list", "-N", "nowhere")).contains("not registered");
  }

  @Test
  void orphans_none_saysSo() {
    assertThat(on.done("namespace", "orphans")).contains("No orphans among");
    assertThat(on.json("namespace", "orphans").at("/examined").asLong()).isPositive();
    assertThat(on.fails(4, "namespace", "purge", "default", "--orphan", "--yes"))
        .contains("registered");
  }

  @Test
  void delete_withoutATerminal_asksForYes() {
    on.done("namespace", "register", "kept");

    assertThat(on.fails(4, "namespace", "delete", "kept")).contains("Delete", "kept", "--yes");
    assertThat(on.json("namespace", "show", "kept").at("/state").asText()).isEqualTo("active");
  }

  @Test
  void delete_onATerminal_doesWhatIsAnswered() {
    on.done("namespace", "register", "asked");
    List<String> questions = new ArrayList<>();
    for (String answer : List.of("no", "yes")) {
      Surroundings person =
          new Surroundings(
              on.environment(),
              Path.of("no-home"),
              question -> {
                questions.add(question);
                return Optional.of(answer);
              },
              /* watched= */ true);
      CommandRun run = CommandRun.in(person, "namespace", "delete", "asked");
      assertThat(run.exitCode()).isEqualTo(answer.equals("yes") ? 0 : 4);
    }

    assertThat(questions).hasSize(2).allMatch(question -> question.contains("'asked'"));
    assertThat(on.json("namespace", "show", "asked").at("/state").asText()).isEqualTo("deleted");
  }
}
