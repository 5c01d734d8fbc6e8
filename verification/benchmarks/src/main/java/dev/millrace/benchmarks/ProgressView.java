package dev.millrace.benchmarks;

import dev.millrace.benchmarks.load.RunProgress;
import dev.millrace.benchmarks.load.Stage;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** A progress bar on standard error, where somebody sees it. */
final class ProgressView implements RunProgress, AutoCloseable {
  private static final int UPDATE_MS = 250;

  private final String name;
  private final boolean visible;
  private @Nullable ProgressBar bar;
  private @Nullable Stage stage;

  private ProgressView(String name, boolean visible) {
    this.name = name;
    this.visible = visible;
  }

  /** A view of the run called {@code name}; none with JSON or without a terminal. */
  static ProgressView of(String name, boolean json) {
    return new ProgressView(name, !json && Ansi.AUTO.enabled());
  }

  @Override
  public void at(Stage stage, Duration passed, Duration length) {
    if (!visible) {
      return;
    }
    ProgressBar current = bar;
    if (current == null || stage != this.stage) {
      close();
      this.stage = stage;
      current =
          new ProgressBarBuilder()
              .setTaskName(name + (stage == Stage.WARM_UP ? " (warm-up)" : ""))
              .setInitialMax(length.toMillis())
              .setUpdateIntervalMillis(UPDATE_MS)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(System.err))
              .build();
      bar = current;
    }
    current.stepTo(Math.min(passed.toMillis(), length.toMillis()));
  }

  @Override
  public void close() {
    ProgressBar current = bar;
    bar = null;
    if (current != null) {
      current.close();
    }
  }
}
