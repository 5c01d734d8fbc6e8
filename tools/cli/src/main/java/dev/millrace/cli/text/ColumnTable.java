package dev.millrace.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Rows of text with aligned columns. */
public final class ColumnTable {
  private final List<List<String>> rows = new ArrayList<>();
  private final Set<Integer> rightAligned;

  private ColumnTable(Set<Integer> rightAligned) {
    this.rightAligned = rightAligned;
  }

  /** A table whose columns with these numbers, from 0, are aligned to the right. */
  public static ColumnTable withNumbersIn(Integer... columns) {
    return new ColumnTable(Set.of(columns));
  }

  /** Adds a row; all rows have as many cells. */
  public ColumnTable row(Object... cells) {
    rows.add(Stream.of(cells).map(String::valueOf).toList());
    return this;
  }

  /** The rows as lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String padding = " ".repeat(width(column) - row.get(column).length());
        boolean right = rightAligned.contains(column);
        line.append(column == 0 ? "" : "  ")
            .append(right ? padding + row.get(column) : row.get(column) + padding);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
