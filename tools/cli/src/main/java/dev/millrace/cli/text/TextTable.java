package dev.millrace.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rows whose columns line up. */
public final class TextTable {
  private static final String GAP = "  ";
  private static final int NONE = -1;

  private final List<List<String>> rows = new ArrayList<>();
  private final Set<Integer> toTheRight;

  private TextTable(Set<Integer> toTheRight) {
    this.toTheRight = toTheRight;
  }

  /** The first column to the left, the others to the right: what numbers want. */
  public TextTable() {
    this(Set.of());
  }

  /** Every column to the left but those of these numbers, from 0. */
  public static TextTable ofTexts(Integer... numbers) {
    return new TextTable(numbers.length == 0 ? Set.of(NONE) : Set.of(numbers));
  }

  /** Adds a row; all have as many cells. */
  public TextTable row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /** The rows as lines. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String padding = " ".repeat(width(column) - row.get(column).length());
        String cell = isRight(column) ? padding + row.get(column) : row.get(column) + padding;
        line.append(column == 0 ? "" : GAP).append(cell);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private boolean isRight(int column) {
    return toTheRight.isEmpty() ? column > 0 : toTheRight.contains(column);
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
