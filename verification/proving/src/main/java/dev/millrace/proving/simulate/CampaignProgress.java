package dev.millrace.proving.simulate;

import dev.millrace.simulator.Campaign;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Tells people how far a campaign is, and when its time is over. */
final class CampaignProgress {
  private static final double ON_TERMINAL_SECONDS = 0.5;
  private static final double ELSEWHERE_SECONDS = 10;

  private final PrintWriter err;
  private final boolean silent;
  private final boolean terminal;
  private final long most;
  private final @Nullable Double limitSeconds;
  private final long startedNanos = System.nanoTime();
  private double nextSeconds;
  private boolean lineIsOpen;

  private CampaignProgress(
      PrintWriter err, boolean silent, boolean terminal, long most, @Nullable Double limitSeconds) {
    this.err = err;
    this.silent = silent;
    this.terminal = terminal;
    this.most = most;
    this.limitSeconds = limitSeconds;
  }

  static CampaignProgress of(
      CommandLine command, boolean json, long most, @Nullable Double limitSeconds) {
    return new CampaignProgress(command.getErr(), json, Ansi.AUTO.enabled(), most, limitSeconds);
  }

  double seconds() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  boolean isOver() {
    return limitSeconds != null && seconds() >= limitSeconds;
  }

  void tell(Campaign campaign) {
    double passed = seconds();
    if (silent || passed < nextSeconds) {
      return;
    }
    nextSeconds = passed + (terminal ? ON_TERMINAL_SECONDS : ELSEWHERE_SECONDS);
    String goal = limitSeconds == null ? most + " seeds" : Math.round(limitSeconds) + " s";
    String line =
        String.format(
            Locale.ROOT,
            "%.0f s of %s  %,d seeds  %,.0f acquires/s  %,.0f events/s  not yet reached %d"
                + "  broken %d",
            passed,
            goal,
            campaign.seeds(),
            campaign.acquires() / passed,
            campaign.events() / passed,
            campaign.coverage().missing().size(),
            campaign.failures().size());
    if (terminal) {
      err.print("\r\033[K" + line);
      lineIsOpen = true;
    } else {
      err.println(line);
    }
    err.flush();
  }

  /** Ends the line that changes. */
  void end() {
    if (lineIsOpen) {
      err.println();
      lineIsOpen = false;
    }
  }
}
