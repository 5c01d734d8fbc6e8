package dev.millrace.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Rows whose columns line up: the first to the left, the others to the right. */
public final class AlignedTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; all have the same number of cells. */
  public AlignedTable row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  /** The rows as lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String padding = " ".repeat(width(column) - row.get(column).length());
        line.append(column == 0 ? row.get(column) + padding : GAP + padding + row.get(column));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
