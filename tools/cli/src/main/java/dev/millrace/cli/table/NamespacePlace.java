package dev.millrace.cli.table;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a namespace of a table, and the actor of changes; a mixin. */
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
  Map<String, @Nullable String> options() {
    Map<String, @Nullable String> options = super.options();
    options.put("namespace", namespace);
    options.put("actor", actor);
    return options;
  }
}
