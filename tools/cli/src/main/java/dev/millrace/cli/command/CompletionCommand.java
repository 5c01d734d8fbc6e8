package dev.millrace.cli.command;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.HelpOption;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What a shell needs to complete commands and options. */
@Command(
    name = "completion",
    description = "Prints a script that lets bash or zsh complete commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(millrace completion bash)",
      "  millrace completion zsh > ~/.millrace-completion && source ~/.millrace-completion"
    })
public final class CompletionCommand implements Callable<Integer> {
  /** The shells. */
  enum Shell {
    BASH,
    ZSH
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}, in any case.")
  @SuppressWarnings("NullAway.Init") // must be given
  private Shell shell;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.ZSH) {
      out.println("autoload -U +X compinit && compinit");
      out.println("autoload -U +X bashcompinit && bashcompinit");
    }
    out.println(AutoComplete.bash("millrace", spec.root().commandLine()));
    out.flush();
    return ExitCodes.DONE;
  }
}
