package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandRun;
import dev.millrace.embedded.SharedEngine;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command says about its table, and when it cannot get there. */
class StatusCommandIT {
  @Test
  void status_isTextAndJson() {
    OnTable on = OnTable.create("cli-status");
    on.done("namespace", "register", "prod");

    assertThat(on.done("status"))
        .contains("cli-status", "ACTIVE", "NEW_AND_OLD_IMAGES", "prod (active)", "readMsMedian");
    JsonNode json = on.json("status");
    assertThat(json.at("/schema").asLong()).isEqualTo(3);
    assertThat(json.at("/indexes").asInt()).isEqualTo(4);
    assertThat(json.at("/readMsWorst").asDouble()).isPositive();
    assertThat(json.at("/namespaces/0/name").asText()).isEqualTo("prod");
    assertThat(on.done("table", "create")).isEqualTo("there already: table cli-status\n");
  }

  @Test
  void noTable_isNotFoundAndSaysWhatToDo() {
    Map<String, String> environment =
        Map.of(
            "MILLRACE_ENDPOINT", SharedEngine.endpoint().toString(), "MILLRACE_TABLE", "missing");
    for (String[] args : new String[][] {{"status"}, {"entity", "list"}, {"limits", "get"}}) {
      CommandRun run = CommandRun.in(CommandRun.nothing(environment), args);

      assertThat(run.exitCode()).as(run.err()).isEqualTo(3);
      assertThat(run.err().lines()).singleElement().asString().contains("table create");
    }
  }

  @Test
  void unreachable_isItsOwnCodeAndOneLine() throws IOException {
    for (String[] args :
        new String[][] {{"status"}, {"entity", "list"}, {"usage", "top", "-r", "r", "-l", "l"}}) {
      CommandRun run =
          CommandRun.in(
              CommandRun.nothing(
                  Map.of("MILLRACE_ENDPOINT", "http://127.0.0.1:" + nobodyListens())),
              args);

      assertThat(run.exitCode()).as(run.err()).isEqualTo(5);
      assertThat(run.out()).isEmpty();
      assertThat(run.err().lines()).singleElement().asString().contains("--endpoint", "again");
    }
  }

  private static int nobodyListens() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void embedded_keepsItsStateOnDisk(@TempDir Path directory) throws IOException {
    Path state = Files.createDirectory(directory.resolve("state"));

    CommandRun created = CommandRun.of("entity", "create", "kept", "--embedded", state.toString());
    CommandRun shown =
        CommandRun.in(
            CommandRun.nothing(Map.of("MILLRACE_EMBEDDED", state.toString())), "entity", "list");

    assertThat(created.exitCode()).as(created.err()).isZero();
    assertThat(shown.out()).contains("kept");
    assertThat(CommandRun.of("entity", "list", "--embedded", "/no/such/place"))
        .satisfies(run -> assertThat(run.exitCode()).isEqualTo(2));
  }
}
