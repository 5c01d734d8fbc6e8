package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.NamespaceManifest;
import dev.millrace.manifest.World;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
  private static final String MANIFEST =
      """
      version: 1
      system: {limits: [rpm:1000], onUnavailable: allow, auditRetentionDays: 7}
      resources:
        gpt: {limits: [rpm:100, {name: tpm, rate: 10.5, per: 1500ms, capacity: 3, burst: 20}]}
        off: {disabled: true, cascade: false}
      entities:
        acme: {name: "Acme \\"Inc\\" → é: #1", metadata: {"a: b": "c\\nd", no: "yes"}}
        "123": {parent: acme, cascade: true, limits: [rpm:5:soft]}
        key: {parent: "123", disabled: true, resources: {gpt: {limits: [rpm:1], cascade: true}}}
      """;

  @TempDir private Path directory;
  private final World world = new World();

  @BeforeEach
  void given() {
    assertThat(world.apply(MANIFEST).refusals()).isEmpty();
    world
        .ns
        .limits()
        .set(
            LimitTarget.entityResource("norecord", "gpt"),
            LimitSet.of(new Limit("rpm", 1_500, 2_000, Refill.of(1_250, 60_000))));
  }

  private Path backup(World from) throws IOException {
    Path file = directory.resolve("backup.jsonl.gz");
    try (BackupWriter writer =
        new BackupWriter(Files.newOutputStream(file), "default", Instant.EPOCH)) {
      new NamespaceSource(from.ns).read(writer);
      writer.end();
    }
    return file;
  }

  private static NamespaceManifest.Result restore(World into, Path file) {
    SpecSource source = new BackupFile(file);
    return ManifestApplier.of(into.ns, ManifestOutline.of(source), null, 4, counts -> {});
  }

  private static String exported(World world) {
    StringWriter text = new StringWriter();
    new NamespaceSource(world.ns).read(new ManifestWriter(new PrintWriter(text, true)));
    return text.toString();
  }

  @Test
  void export_isAManifestThatChangesNothing() {
    String exported = exported(world);

    assertThat(exported).contains("key:", "limitsOnly: true", "rpm:5/min:soft");
    assertThat(world.plan(exported.replace("version: 1", "version: 1\nname: another"))).isEmpty();
  }

  @Test
  void restore_intoAnEmptyNamespace_isTheSame() throws IOException {
    World empty = new World();

    NamespaceManifest.Result result = restore(empty, backup(world));

    assertThat(result.refusals()).isEmpty();
    assertThat(exported(empty)).isEqualTo(exported(world));
    assertThat(empty.ns.limits().get(LimitTarget.entityResource("norecord", "gpt")))
        .map(stored -> stored.limits())
        .isEqualTo(
            world
                .ns
                .limits()
                .get(LimitTarget.entityResource("norecord", "gpt"))
                .map(stored -> stored.limits()));
    empty.writes.set(0);
    assertThat(restore(empty, backup(world)).counts().all()).isZero();
    assertThat(empty.writes).hasValue(0);
  }

  @Test
  void restore_intoAnExistingNamespace_mendsAndLeavesTheRest() throws IOException {
    Path file = backup(world);
    String before = exported(world);
    world.ns.entities().moveToTop("key");
    world.ns.limits().delete(LimitTarget.resource("gpt"));
    world.apply("version: 1\nname: another\nentities: {later: {limits: [rpm:9]}}");

    restore(world, file);

    assertThat(world.ns.entities().get("later")).isPresent();
    world.ns.entities().delete("later");
    assertThat(exported(world)).isEqualTo(before);
  }

  @Test
  void damagedFile_isRefusedBeforeAnythingIsWritten() throws IOException {
    Path file = backup(world);
    List<String> lines = lines(file);
    assertThat(lines.get(0)).contains("\"format\":\"millrace-backup\"", "\"version\":1");
    assertThat(lines.get(lines.size() - 1)).contains("\"end\":", "\"sha256\":");

    refused(file, text -> text.replace("rpm:1000/min", "rpm:9000/min"), "checksum differs");
    refused(file, text -> text.replace(lines.get(2) + "\n", ""), "lines are missing");
    refused(file, text -> text.substring(0, text.lastIndexOf("{\"end\"")), "last line is missing");
    refused(file, text -> text + "{}\n", "more after the end");
    refused(file, text -> text.replace("\"version\":1", "\"version\":2"), "is of version 2");
    refused(file, text -> "{\"format\":\"other\"}\n", "is not a backup of Millrace");
    refused(file, text -> text.replace("\"limits\":", "\"limit\":"), "line 2", "is not known here");
    Files.write(file, new byte[] {1, 2, 3});
    assertThatThrownBy(
            () -> new BackupFile(file).read(new dev.millrace.manifest.internal.SpecSink() {}))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("cannot be read");
  }

  private void refused(Path file, UnaryOperator<String> damage, String... parts)
      throws IOException {
    byte[] whole = Files.readAllBytes(file);
    World empty = new World();
    try {
      Files.write(file, gzip(damage.apply(String.join("\n", lines(file)) + "\n")));
      assertThatThrownBy(() -> restore(empty, file))
          .isInstanceOf(ManifestException.class)
          .hasMessageContainingAll(parts);
      assertThat(empty.writes).hasValue(0);
    } finally {
      Files.write(file, whole);
    }
  }

  @Test
  void header_saysForWhichNamespace() throws IOException {
    ManifestHeader header =
        new BackupFile(backup(world)).read(new dev.millrace.manifest.internal.SpecSink() {});

    assertThat(header.namespace()).isEqualTo("default");
  }

  private static List<String> lines(Path file) throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
