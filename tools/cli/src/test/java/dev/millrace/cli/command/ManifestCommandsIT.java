package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits as code and backups, on DynamoDB Local. */
class ManifestCommandsIT {
  private static final String MANIFEST =
      """
      version: 1
      resources:
        gpt: {limits: [rpm:100, tpm:10000]}
      entities:
        acme: {name: Acme}
        key: {parent: acme, cascade: true, resources: {gpt: {limits: [rpm:10]}}}
      """;

  private static final long POLL_NANOS = 20_000_000;
  private static final long WAIT_SECONDS = 120;

  @TempDir private Path directory;

  private String write(String text) throws IOException {
    Path file = directory.resolve("limits.yaml");
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void manifest_isValidatedPlannedAppliedAndExported() throws IOException {
    OnTable on = OnTable.create("cli-manifest");
    String file = write(MANIFEST);

    assertThat(on.done("limits", "validate", "-f", file))
        .contains("a manifest of 1 resources and 2 entities");
    assertThat(on.json("limits", "validate", "-f", file).at("/entities").asInt()).isEqualTo(2);
    CommandRun plan = on.run("limits", "plan", "-f", file);
    assertThat(plan.exitCode()).as(plan.err()).isEqualTo(6);
    assertThat(plan.out())
        .contains("+ limits of resource gpt: [rpm:100/min, tpm:10000/min]")
        .contains("+ entity key: below acme, cascades", "+ limits of key on gpt")
        .contains("Plan: 4 to add, 0 to change, 0 to remove, 0 changed by hand.")
        .contains("Blast radius: 2 entities, 0 buckets.", "Nobody used more in an hour");
    assertThat(on.fails(4, "limits", "apply", "-f", file)).contains("limits plan", "--yes");

    assertThat(on.done("limits", "apply", "-f", file, "--yes"))
        .isEqualTo(
            "applied: 4 added, 0 changed, 0 removed, 0 mended that were changed by hand; 2"
                + " entities\n");
    assertThat(on.done("limits", "apply", "-f", file, "--yes")).startsWith("Nothing to do");
    assertThat(on.done("limits", "plan", "-f", file)).startsWith("Nothing to do");
    assertThat(on.json("limits", "plan", "-f", file).at("/plan/added").asInt()).isZero();

    on.byHand(
        ns ->
            ns.limits()
                .set(
                    LimitTarget.entityResource("key", "gpt"),
                    LimitSet.of(Limit.perMinute("rpm", 99))));
    CommandRun drift = on.run("limits", "plan", "-f", file, "--no-blast-radius", "--json");
    assertThat(drift.exitCode()).isEqualTo(6);
    assertThat(drift.outLines().get(0)).contains("\"drift\":true", "rpm:99/min");
    JsonNode mended = on.json("limits", "apply", "-f", file, "--yes");
    assertThat(mended.at("/applied/drifted").asInt()).isEqualTo(1);
    assertThat(on.lines("audit", "list", "--max", "1").get(0).at("/action").asText())
        .isEqualTo("manifest.apply");

    Path exported = directory.resolve("exported.yaml");
    on.done("limits", "export", "--output", exported.toString());
    assertThat(on.done("limits", "export")).isEqualTo(Files.readString(exported));
    assertThat(on.done("limits", "plan", "-f", exported.toString())).startsWith("Nothing to do");

    String smaller = write("version: 1\nentities: {acme: {name: Acme}}\n");
    on.done("limits", "apply", "-f", smaller, "--yes");
    assertThat(on.fails(3, "entity", "show", "key")).contains("no entity 'key'");
    assertThat(on.fails(3, "resource", "get", "gpt")).contains("resource gpt");
  }

  @Test
  void badManifest_isRefusedWholeWithItsLines() throws IOException {
    OnTable on = OnTable.create("cli-bad-manifest");
    String file = write("version: 1\nresources:\n  gpt: {limits: [rpm]}\n  x: {limit: [a:1]}\n");

    for (String command : List.of("validate", "plan", "apply")) {
      assertThat(on.fails(2, "limits", command, "-f", file))
          .contains("refused, and nothing was changed", "line 3, column 18")
          .contains("resources.gpt.limits[0] 'rpm'", "line 4", "'limit': is not known here");
    }
    String elsewhere = write("version: 1\nnamespace: prod\n");
    assertThat(on.fails(2, "limits", "plan", "-f", elsewhere)).contains("--namespace prod");
    String orphan = write("version: 1\nentities:\n  a: {parent: nobody}\n");
    assertThat(on.fails(2, "limits", "apply", "-f", orphan, "--yes"))
        .contains("line 3", "'nobody'", "neither in the manifest nor in the table");
    assertThat(on.fails(2, "limits", "plan", "-f", "no/such.yaml")).contains("cannot be read");
    assertThat(on.done("limits", "schema")).contains("\"$schema\"", "manifest");
  }

  @Test
  void backup_isRestoredElsewhere() throws IOException {
    OnTable on = OnTable.create("cli-backup");
    on.done("limits", "apply", "-f", write(MANIFEST), "--yes");
    on.done("namespace", "register", "copy");
    String file = directory.resolve("backup.jsonl.gz").toString();

    assertThat(on.json("backup", file).at("/lines").asInt()).isEqualTo(6);
    CommandRun dry = on.run("restore", file, "--dry-run", "-N", "copy");
    assertThat(dry.exitCode()).as(dry.err()).isEqualTo(6);
    assertThat(dry.out()).contains("+ entity key: below acme", "Plan: 4 to add");
    assertThat(on.done("entity", "list", "-N", "copy")).contains("no entities");
    assertThat(on.fails(4, "restore", file, "-N", "copy")).contains("--dry-run", "--yes");
    assertThat(on.done("restore", file, "-N", "copy", "--yes")).startsWith("restored: 4 added");
    assertThat(on.done("restore", file, "-N", "copy", "--yes")).startsWith("Nothing to do");
    assertThat(on.done("restore", file, "-N", "copy", "--dry-run")).startsWith("Nothing to do");
    assertThat(on.done("limits", "export", "-N", "copy")).isEqualTo(on.done("limits", "export"));

    Files.write(directory.resolve("half.gz"), new byte[] {31});
    assertThat(on.fails(2, "restore", directory.resolve("half.gz").toString(), "--yes"))
        .contains("cannot be read, or is cut off");
    assertThat(on.run("backup", directory.resolve("no/such").toString()).err())
        .contains("cannot be written");
  }

  @Test
  void apply_killed_goesOnWhereItWas() throws Exception {
    OnTable on = OnTable.create("cli-killed");
    StringBuilder manifest = new StringBuilder("version: 1\nentities:\n");
    for (int i = 0; i < 100; i++) {
      manifest.append("  key-%d: {resources: {gpt: {limits: [rpm:7]}}}%n".formatted(i));
    }
    String file = write(manifest.toString());

    ProcessBuilder builder =
        CommandRun.process("limits", "apply", "-f", file, "--yes", "--concurrency", "1");
    builder.environment().putAll(on.environment());
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("child").toFile());
    Process child = builder.start();
    try {
      awaitEntity(on, child, "key-0");
    } finally {
      child.destroyForcibly(); // SIGKILL
    }
    assertThat(child.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    CommandRun left = on.run("limits", "plan", "-f", file, "--no-blast-radius", "--json");
    assertThat(left.exitCode()).as("killed before its end").isEqualTo(6);

    on.done("limits", "apply", "-f", file, "--yes");

    assertThat(on.done("limits", "plan", "-f", file)).startsWith("Nothing to do");
    assertThat(on.done("limits", "get", "-e", "key-99", "-r", "gpt")).contains("rpm:7/min");
    assertThat(on.done("jobs", "list")).contains("Nothing is left undone");
  }

  /** Looks until an entity is there: then the child is under way, with most of it to do. */
  private static void awaitEntity(OnTable on, Process child, String id) {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    on.byHand(
        ns -> {
          while (ns.entities().get(id).isEmpty()) {
            assertThat(child.isAlive()).as("ended too early").isTrue();
            assertThat(System.nanoTime()).isLessThan(endNanos);
            LockSupport.parkNanos(POLL_NANOS);
          }
        });
  }
}
