package dev.millrace.proving.soak;

import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.embedded.EmbeddedEngineException;
import dev.millrace.proving.soak.journal.JournalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs limiter processes against a database on disk, kills both, and checks the books. */
@Command(
    name = "soak",
    description = {
      "Runs several limiter processes against DynamoDB Local on disk, kills them and kills or",
      "freezes the database at random, cuts off answers, starts everything again, and checks at",
      "the end that every charge is accounted for."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every charge is accounted for",
      "1:the ledger does not balance, or a promise was broken",
      "2:wrong usage",
      "3:could not be run to its end"
    })
public final class SoakCommand implements ExtraCommand, Callable<Integer> {
  private static final int EXIT_BROKEN = 1;
  private static final int EXIT_NOT_RUN = 3;

  private static final double MIN_SECONDS = 1;
  private static final double MAX_SECONDS = 24 * 3_600;
  private static final int MIN_PROCESSES = 1;
  private static final int MAX_PROCESSES = 32;
  private static final double MIN_KILL_SECONDS = 0.5;
  private static final int MAX_DATABASE_EVERY = 1_000;
  private static final int MAX_CUT_EVERY = 1_000_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long to go on killing (default: 5).")
  private @Nullable Double minutes;

  @Option(names = "--seconds", paramLabel = "N", description = "The same in seconds.")
  private @Nullable Double seconds;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "4",
      description = {
        "How many limiter processes (default: ${DEFAULT-VALUE}).",
        "They take turns in how they are set up; from four on every way is there."
      })
  private int processes;

  @Option(
      names = "--kill-every",
      paramLabel = "SECONDS",
      defaultValue = "8",
      description = "Mean time between two kills (default: ${DEFAULT-VALUE}).")
  private double killEvery;

  @Option(
      names = "--database-every",
      paramLabel = "N",
      defaultValue = "4",
      description = {
        "One strike in N is against the database, which is frozen and killed in turn,",
        "0 for never (default: ${DEFAULT-VALUE})."
      })
  private int databaseEvery;

  @Option(
      names = "--cut-every",
      paramLabel = "N",
      defaultValue = "200",
      description = {
        "About one answer of the database in N is cut off in the middle,",
        "0 for never (default: ${DEFAULT-VALUE})."
      })
  private int cutEvery;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides who is killed when, and what callers ask for (default: chance).")
  private @Nullable Long seed;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where to make the directory of the run (default: the temporary directory).")
  private @Nullable Path data;

  @Option(names = "--keep", description = "Keep the database and the journals of a good run too.")
  private boolean keep;

  @Option(names = "--json", description = "Print one JSON object at the end, and nothing else.")
  private boolean json;

  @Option(
      names = "--dishonest",
      hidden = true,
      description = "One worker charges behind its journal's back: the run must fail.")
  private boolean dishonest;

  @Override
  public Integer call() throws IOException {
    CommandLine command = spec.commandLine();
    Duration length = length(command);
    check(command);
    Path parent = data == null ? Path.of(System.getProperty("java.io.tmpdir", ".")) : data;
    Path directory = Files.createTempDirectory(parent, "millrace-soak-");
    SoakSettings settings =
        new SoakSettings(
            length,
            processes,
            seed == null ? new SplittableRandom().nextInt(Integer.MAX_VALUE) : seed,
            Duration.ofMillis(Math.round(killEvery * 1e3)),
            databaseEvery,
            cutEvery,
            directory,
            dishonest);
    Interruption interruption = Interruption.ofThisThread();
    try {
      return run(command, settings);
    } finally {
      interruption.end();
    }
  }

  private int run(CommandLine command, SoakSettings settings) throws IOException {
    boolean remove = false;
    try (SoakPrinter printer = SoakPrinter.of(command, json)) {
      SoakResult result = Soak.run(settings, printer);
      printer.end();
      int code =
          !result.isJudged() ? EXIT_NOT_RUN : result.isBalanced() ? ExitCode.OK : EXIT_BROKEN;
      remove = code == ExitCode.OK && !keep;
      SoakReport.print(command.getOut(), result, json, /* kept= */ !remove);
      return code;
    } catch (InterruptedException e) {
      remove = !keep;
      return tell(command, "interrupted");
    } catch (SoakException | EmbeddedEngineException | JournalException e) {
      return tell(command, e.getMessage() + "; the journals so far are in " + settings.directory());
    } finally {
      if (remove) {
        Directories.delete(settings.directory());
      }
    }
  }

  private static int tell(CommandLine command, String message) {
    command.getErr().println(command.getColorScheme().errorText("soak: " + message));
    return EXIT_NOT_RUN;
  }

  private Duration length(CommandLine command) {
    Double inMinutes = minutes;
    Double inSeconds = seconds;
    if (inMinutes != null && inSeconds != null) {
      throw new ParameterException(command, "either --minutes or --seconds, not both");
    }
    double length =
        inSeconds != null
            ? inSeconds
            : inMinutes != null ? inMinutes * 60 : Duration.ofMinutes(5).toSeconds();
    String option = inSeconds != null ? "--seconds" : "--minutes";
    requireBetween(command, option + " (in seconds)", length, MIN_SECONDS, MAX_SECONDS);
    return Duration.ofMillis(Math.round(length * 1e3));
  }

  private void check(CommandLine command) {
    requireBetween(command, "--processes", processes, MIN_PROCESSES, MAX_PROCESSES);
    requireBetween(command, "--kill-every", killEvery, MIN_KILL_SECONDS, MAX_SECONDS);
    requireBetween(command, "--database-every", databaseEvery, 0, MAX_DATABASE_EVERY);
    requireBetween(command, "--cut-every", cutEvery, 0, MAX_CUT_EVERY);
    Path parent = data;
    if (parent != null && !Files.isDirectory(parent)) {
      throw new ParameterException(command, "--data " + parent + " is not a directory");
    }
  }

  private static void requireBetween(
      CommandLine command, String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new ParameterException(
          command, "%s %s must be from %s to %s".formatted(option, value, min, max));
    }
  }
}
