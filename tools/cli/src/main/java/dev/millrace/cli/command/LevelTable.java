package dev.millrace.cli.command;

import dev.millrace.admin.StoredLimits;
import dev.millrace.cli.text.TextTable;
import java.util.List;

/** What is stored at levels, as a table. */
final class LevelTable {
  private LevelTable() {}

  static List<String> of(List<StoredLimits> levels) {
    TextTable table =
        TextTable.ofTexts().row("LEVEL", "ENTITY", "RESOURCE", "LIMITS", "CASCADE", "DISABLED");
    for (StoredLimits stored : levels) {
      Boolean cascade = stored.cascade();
      table.row(
          stored.target().level().label(),
          orDash(stored.target().entityId()),
          orDash(stored.target().resource()),
          Texts.limits(stored.limits())
              + (stored.shared() == null ? "" : " of " + Texts.limits(stored.shared())),
          cascade == null ? "–" : Texts.yesNo(cascade),
          Texts.yesNo(stored.disabled()));
    }
    return table.lines();
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "–" : text;
  }
}
