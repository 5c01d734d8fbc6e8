package dev.millrace.proving.simulate;

import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.simulator.Campaign;
import dev.millrace.simulator.Carriers;
import dev.millrace.simulator.Story;
import dev.millrace.simulator.mutation.Mutant;
import dev.millrace.simulator.mutation.MutantVerdict;
import dev.millrace.simulator.mutation.Mutants;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
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

/** Plays histories from seeds and checks every promise after every event. */
@Command(
    name = "simulate",
    description = {
      "Plays histories of limiters under faults, in virtual time and from a seed, with production",
      "code, and checks every promise after every event. One thread; the same seed, the same history."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every promise was kept, and every fault and path was reached",
      "1:a promise was broken, or a mutant was not caught",
      "2:wrong usage",
      "4:every promise was kept, but some fault or path was never reached"
    })
public final class SimulateCommand implements ExtraCommand, Callable<Integer> {
  private static final int EXIT_BROKEN = 1;
  private static final int EXIT_NOT_COVERED = 4;
  private static final long DEFAULT_SEEDS = 2_000;
  private static final long MAX_SEEDS = 1_000_000_000L;
  private static final double MAX_SECONDS = 7 * 24 * 3_600;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "How many histories (default: " + DEFAULT_SEEDS + ", or as many as fit).")
  private @Nullable Long seeds;

  @Option(names = "--seconds", paramLabel = "N", description = "How long to go on.")
  private @Nullable Double seconds;

  @Option(
      names = "--from",
      paramLabel = "SEED",
      description = "The first seed (default: chance, so that every campaign sees new histories).")
  private @Nullable Long from;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "Play this history alone, and tell it, made short, when it breaks a promise.")
  private @Nullable Long seed;

  @Option(
      names = "--mutants",
      description = "Play against every deliberate fault of the list instead: each must be caught.")
  private boolean mutants;

  @Option(
      names = "--mutant",
      paramLabel = "NAME",
      description = "Play against this deliberate fault alone; given several times, against each.")
  private List<String> mutantNames = List.of();

  @Option(names = "--json", description = "Print one JSON object at the end, and nothing else.")
  private boolean json;

  @Override
  public Integer call() {
    check();
    CommandLine command = spec.commandLine();
    if (mutants || !mutantNames.isEmpty()) {
      return mutants(command, chosenMutants(command));
    }
    if (seed != null) {
      return replay(command, seed);
    }
    long first = from == null ? new SplittableRandom().nextInt(Integer.MAX_VALUE) : from;
    long most = seeds != null ? seeds : seconds != null ? MAX_SEEDS : DEFAULT_SEEDS;
    return campaign(command, first, most);
  }

  private void check() {
    CommandLine command = spec.commandLine();
    if (seeds != null && (seeds < 1 || seeds > MAX_SEEDS)) {
      throw new ParameterException(command, "--seeds " + seeds + " must be from 1 to " + MAX_SEEDS);
    }
    if (seconds != null && !(seconds >= 1 && seconds <= MAX_SECONDS)) {
      throw new ParameterException(
          command, "--seconds " + seconds + " must be from 1 to " + MAX_SECONDS);
    }
    if ((seed != null && seed < 0) || (from != null && from < 0)) {
      throw new ParameterException(command, "a seed must not be negative");
    }
    if (seed != null
        && (seeds != null
            || seconds != null
            || from != null
            || mutants
            || !mutantNames.isEmpty())) {
      throw new ParameterException(command, "--seed plays one history: leave the others out");
    }
  }

  private int campaign(CommandLine command, long first, long most) {
    CampaignProgress progress = CampaignProgress.of(command, json, most, seconds);
    Campaign campaign = Campaign.run(first, most, progress::isOver, progress::tell);
    progress.end();
    CampaignReport report = new CampaignReport(campaign, progress.seconds());
    PrintWriter out = command.getOut();
    if (json) {
      out.println(report.json());
    } else {
      report.lines().forEach(out::println);
      if (!campaign.failures().isEmpty()) {
        out.println();
        story(campaign.failures().get(0).seed()).forEach(out::println);
      }
    }
    if (!campaign.failures().isEmpty()) {
      return EXIT_BROKEN;
    }
    return campaign.coverage().missing().isEmpty() ? ExitCode.OK : EXIT_NOT_COVERED;
  }

  private int replay(CommandLine command, long one) {
    Campaign campaign = Campaign.run(one, 1);
    PrintWriter out = command.getOut();
    if (json) {
      out.println(new CampaignReport(campaign, 0).json());
    } else if (campaign.failures().isEmpty()) {
      out.printf("seed %d keeps every promise: %d acquires%n", one, campaign.acquires());
    } else {
      story(one).forEach(out::println);
    }
    return campaign.failures().isEmpty() ? ExitCode.OK : EXIT_BROKEN;
  }

  private static List<String> story(long seed) {
    try (Carriers carriers = new Carriers()) {
      List<String> lines = new ArrayList<>(Story.of(seed, carriers));
      lines.add("again: ./millrace simulate --seed " + seed);
      return lines;
    }
  }

  private List<Mutant> chosenMutants(CommandLine command) {
    List<Mutant> all = Mutants.all();
    if (mutantNames.isEmpty()) {
      return all;
    }
    List<String> names = all.stream().map(Mutant::name).toList();
    for (String name : mutantNames) {
      if (!names.contains(name)) {
        throw new ParameterException(command, "--mutant " + name + ": the list has none such");
      }
    }
    return all.stream().filter(mutant -> mutantNames.contains(mutant.name())).toList();
  }

  private int mutants(CommandLine command, List<Mutant> all) {
    PrintWriter err = command.getErr();
    int[] done = {0};
    List<MutantVerdict> verdicts =
        Mutants.run(
            all,
            verdict -> {
              done[0]++;
              if (!json) {
                err.printf(
                    "%d of %d  %s: %s%n",
                    done[0], all.size(), verdict.mutant().name(), verdict.summary());
                err.flush();
              }
            });
    List<MutantVerdict> missed = verdicts.stream().filter(verdict -> !verdict.isCaught()).toList();
    PrintWriter out = command.getOut();
    if (json) {
      out.println(MutantReport.json(verdicts));
    } else {
      out.printf("%d of %d mutants caught%n", verdicts.size() - missed.size(), verdicts.size());
    }
    return missed.isEmpty() ? ExitCode.OK : EXIT_BROKEN;
  }
}
