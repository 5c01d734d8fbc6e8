package dev.millrace.cli.command;

import dev.millrace.admin.LimitTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name one of the four levels of limits; a mixin. */
final class TargetOptions {
  @Option(
      names = {"-e", "--entity"},
      paramLabel = "ID",
      description = "Whose (default: everybody's).")
  private @Nullable String entity;

  @Option(
      names = {"-r", "--resource"},
      paramLabel = "NAME",
      description = "Of what (default: whatever resource).")
  private @Nullable String resource;

  LimitTarget target() {
    if (entity == null) {
      return resource == null ? LimitTarget.system() : LimitTarget.resource(resource);
    }
    return resource == null
        ? LimitTarget.entity(entity)
        : LimitTarget.entityResource(entity, resource);
  }
}
