package dev.millrace.cli;

/**
 * A command that another module brings, found through {@link java.util.ServiceLoader}: what only
 * some people need does not weigh on those who run the rest.
 */
public interface ExtraCommand {
  /** What picocli makes the command of. */
  default Object command() {
    return this;
  }
}
