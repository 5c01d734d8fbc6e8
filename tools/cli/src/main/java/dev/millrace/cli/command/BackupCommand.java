package dev.millrace.cli.command;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.text.JsonText;
import dev.millrace.manifest.internal.BackupWriter;
import dev.millrace.manifest.internal.NamespaceSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Locale;
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
public final class BackupCommand extends CliCommand implements Callable<Integer> {
  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Parameters(paramLabel = "FILE", description = "Where to; a file of that name is replaced.")
  private Path file;

  @Override
  public Integer call() {
    return connection.run(
        session -> {
          long lines = write(session);
          return session.print(
              JsonText.object("file", file.toString(), "lines", lines),
              String.format(Locale.ROOT, "%s: %,d lines", file, lines));
        });
  }

  /** Writes beside the file first: an old backup stays until the new one is complete. */
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
