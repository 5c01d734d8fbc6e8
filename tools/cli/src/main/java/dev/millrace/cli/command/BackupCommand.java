package dev.millrace.cli.command;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.manifest.NamespaceSource;
import dev.millrace.manifest.backup.BackupWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes configuration and entities to a file. */
@Command(
    name = "backup",
    description = {
      "Writes the configuration and the entities of a namespace to a file: gzipped lines of JSON",
      "with a checksum. Buckets, usage and audit events are not in it."
    },
    footer = {"", "Example:", "  millrace backup prod.jsonl.gz --namespace prod"})
public final class BackupCommand implements Callable<Integer> {
  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Parameters(paramLabel = "FILE", description = "Where to; a file of that name is replaced.")
  @SuppressWarnings("NullAway.Init") // must be given
  private Path file;

  @Override
  public Integer call() {
    return connection.run(
        session -> {
          long lines = write(session);
          Map<String, Object> json = new LinkedHashMap<>();
          json.put("file", file.toString());
          json.put("lines", lines);
          session.output().one(json, String.format(Locale.ROOT, "%s: %,d lines", file, lines));
          return ExitCodes.DONE;
        });
  }

  /** Beside the file first: one that is there already stays until the new one is whole. */
  private long write(Session session) {
    Path beside = file.resolveSibling(file.getFileName() + ".part");
    try {
      long lines;
      try (OutputStream out = Files.newOutputStream(beside);
          BackupWriter writer =
              new BackupWriter(out, session.settings().namespace(), Instant.now())) {
        new NamespaceSource(session.namespace()).read(writer);
        writer.end();
        lines = writer.lines();
      }
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
      return lines;
    } catch (IOException e) {
      throw CommandFailure.notWritten(file, e);
    }
  }
}
