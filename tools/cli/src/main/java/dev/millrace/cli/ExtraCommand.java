package dev.millrace.cli;

/** A command of another module, found through {@link java.util.ServiceLoader}. */
public interface ExtraCommand {
  /** The annotated object, or the picocli specification, of the command. */
  default Object command() {
    return this;
  }
}
