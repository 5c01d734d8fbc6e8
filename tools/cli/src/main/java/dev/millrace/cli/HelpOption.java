package dev.millrace.cli;

import picocli.CommandLine.Option;

/** The option that every command has; a mixin. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean asked;
}
