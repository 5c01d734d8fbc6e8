package dev.millrace.cli.command;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the script with which a shell completes commands and options. */
@Command(
    name = "completion",
    description = "Prints a script that lets bash or zsh complete commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(millrace completion bash)",
      "  millrace completion zsh > ~/.millrace-completion && source ~/.millrace-completion"
    })
public final class CompletionCommand extends CliCommand implements Callable<Integer> {
  /** The shells. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}, in any case.")
  private Shell shell;

  @Override
  public Integer call() {
    if (shell == Shell.ZSH) {
      print("autoload -U +X compinit && compinit");
      print("autoload -U +X bashcompinit && bashcompinit");
    }
    print(AutoComplete.bash("millrace", spec().root().commandLine()));
    return ExitCodes.DONE;
  }
}
