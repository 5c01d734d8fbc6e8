package dev.millrace.deploy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code template} to the command line. */
public final class TemplateExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new TemplateCommand();
  }
}
