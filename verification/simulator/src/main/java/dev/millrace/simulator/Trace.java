package dev.millrace.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A readable log of a history. Off, it costs nothing; it is switched on to play a failing seed once
 * more. It also keeps a fingerprint of everything, by which two runs of a seed are compared.
 */
public final class Trace {
  private final @Nullable ArrayDeque<String> lines;
  private final int maxLines;
  private long fingerprint;
  private long dropped;

  private Trace(@Nullable ArrayDeque<String> lines, int maxLines) {
    this.lines = lines;
    this.maxLines = maxLines;
  }

  /** Keeps nothing but the fingerprint. */
  public static Trace off() {
    return new Trace(null, 0);
  }

  /** Keeps the last {@code maxLines} lines. */
  public static Trace of(int maxLines) {
    return new Trace(new ArrayDeque<>(), maxLines);
  }

  /** Notes what happens; {@code mark} is what tells it from others in the fingerprint. */
  void tell(long nanos, String who, long mark, Supplier<String> what) {
    fingerprint = (fingerprint ^ mark ^ nanos) * 0x100_0000_01B3L;
    if (lines != null) {
      if (lines.size() == maxLines) {
        lines.poll();
        dropped++;
      }
      lines.add(
          "%5d.%06d s  %-6s  %s"
              .formatted(nanos / 1_000_000_000, nanos / 1_000 % 1_000_000, who, what.get()));
    }
  }

  /** Differs, as good as always, when anything that happened differs. */
  public long fingerprint() {
    return fingerprint;
  }

  /** The lines, oldest first. */
  public List<String> lines() {
    List<String> all = new ArrayList<>();
    if (dropped > 0) {
      all.add("… " + dropped + " lines before");
    }
    if (lines != null) {
      all.addAll(lines);
    }
    return all;
  }
}
