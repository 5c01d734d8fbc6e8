package dev.millrace.cli.table;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.Millrace;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of every command that destroys something; a mixin. */
public final class YesOption {
  private static final String YES = "yes";

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean said;

  /** Asks before something is destroyed; where there is nobody to ask, it must be said before. */
  public void orAsk(String question) {
    if (said) {
      return;
    }
    Optional<String> answer = Millrace.surroundings(spec).prompt().apply(question + " Type 'yes':");
    if (answer.isEmpty()) {
      throw new CommandFailure(
          ExitCodes.REFUSED, question + " Nobody can be asked here: add --yes to do it");
    }
    if (!answer.get().strip().equalsIgnoreCase(YES)) {
      throw new CommandFailure(ExitCodes.REFUSED, "left as it is: the answer was not 'yes'");
    }
  }
}
