package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.Millrace;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of every command that destroys something; a mixin. */
public final class YesOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean confirmed;

  /** Requires the option, or the answer "yes" on a terminal. */
  public void orAsk(String question) {
    if (confirmed) {
      return;
    }
    String answer =
        Millrace.surroundings(spec)
            .prompt()
            .apply(question + " Type 'yes':")
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCodes.REFUSED,
                        question + " Nobody can be asked here: add --yes to do it"));
    if (!answer.strip().equalsIgnoreCase("yes")) {
      throw new CommandFailure(ExitCodes.REFUSED, "left as it is: the answer was not 'yes'");
    }
  }
}
