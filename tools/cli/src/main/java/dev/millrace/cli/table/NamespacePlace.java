package dev.millrace.cli.table;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which namespace of which table, and who works on it. */
public class NamespacePlace extends TablePlace {
  @Option(
      names = {"-N", "--namespace"},
      paramLabel = "NAME",
      description = "The namespace (MILLRACE_NAMESPACE; default: default).")
  private @Nullable String namespace;

  @Option(
      names = "--actor",
      paramLabel = "WHO",
      description = "Who makes the change, for the audit (MILLRACE_ACTOR; default: the user).")
  private @Nullable String actor;

  @Override
  Settings.Given given() {
    Settings.Given place = super.given();
    return new Settings.Given(
        place.table(),
        place.endpoint(),
        place.region(),
        namespace,
        place.embedded(),
        actor,
        place.profile());
  }
}
