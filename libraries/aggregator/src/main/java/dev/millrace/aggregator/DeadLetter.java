package dev.millrace.aggregator;

import dev.millrace.core.spi.usage.Window;
import java.util.List;

/**
 * A record that is invalid, or whose usage could not be added to the stored usage.
 *
 * @param record as received
 * @param error the reason
 * @param windows the windows whose usage lacks it; empty when nothing of it was counted
 */
public record DeadLetter(StreamRecord record, String error, List<Window> windows) {
  /** Copies the windows. */
  public DeadLetter {
    windows = List.copyOf(windows);
  }

  /** A record of which nothing was counted. */
  public DeadLetter(StreamRecord record, String error) {
    this(record, error, List.of());
  }

  /** Whether the usage of {@code window} lacks it. */
  public boolean isMissingIn(Window window) {
    return windows.isEmpty() || windows.contains(window);
  }
}
