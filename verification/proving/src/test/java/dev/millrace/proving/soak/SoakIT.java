package dev.millrace.proving.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command as people run it, with real processes and a real database. */
class SoakIT {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int soak(String... args) {
    return new CommandLine(new SoakCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @Test
  void soak_killedFrozenAndCutOff_isBalancedAndLeavesNothing() throws IOException {
    int exit =
        soak(
            "--seconds=12",
            "--kill-every=1.5",
            "--database-every=2",
            "--cut-every=50",
            "--seed=1",
            "--json",
            "--data=" + directory);

    assertThat(exit).as(out + "\n" + err).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.get("balanced").asBoolean()).isTrue();
    assertThat(result.get("killedWorkers").asInt() + result.get("killedDatabases").asInt())
        .isGreaterThanOrEqualTo(3);
    assertThat(result.get("killedDatabases").asInt()).isPositive();
    assertThat(result.get("frozenDatabases").asInt()).isPositive();
    assertThat(result.get("cutAnswers").asLong()).isPositive();
    assertThat(result.get("databaseLostWrites").asLong()).isZero();
    assertThat(result.get("acquires").asLong()).isGreaterThan(20);
    assertThat(result.get("admitted").asLong()).isGreaterThanOrEqualTo(10);
    assertThat(result.get("accounts")).hasSize(16);
    assertThat(left()).isEmpty();
  }

  @Test
  void soak_workerChargesBehindItsJournal_isFoundAndKept() throws IOException {
    int exit =
        soak(
            "--seconds=1",
            "--processes=1",
            "--kill-every=60",
            "--dishonest",
            "--data=" + directory);

    assertThat(exit).as(out + "\n" + err).isEqualTo(1);
    assertThat(out.toString())
        .contains("TWICE solo-1/api:tpm by 100000", "BROKEN: 1 findings", "kept: " + directory)
        .containsPattern("\\.journal: [ASW] \\d+ .*solo-1/api");
    assertThat(left()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "--seconds=0, must be from",
    "--minutes=1 --seconds=1, either --minutes or --seconds",
    "--processes=0, --processes",
    "--kill-every=0, --kill-every",
    "--database-every=-1, --database-every",
    "--cut-every=-1, --cut-every",
    "--data=/no/such/place, is not a directory",
    "--nonsense, Unknown option"
  })
  void soak_misuse_isTold(String args, String message) {
    assertThat(soak(args.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }
}
