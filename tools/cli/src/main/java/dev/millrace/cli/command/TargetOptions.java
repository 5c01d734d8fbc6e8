package dev.millrace.cli.command;

import dev.millrace.admin.LimitTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** At which of the four levels limits are stored; a mixin. */
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

  /** {@code entity+resource key-42 gpt-4}. */
  static String name(LimitTarget target) {
    return (target.level().label() + " " + target.entityId() + " " + target.resource())
        .replaceAll(" +", " ")
        .strip();
  }
}
