package dev.millrace.cli.command;

import dev.millrace.Limit;
import dev.millrace.admin.LimitExplanation;
import dev.millrace.cli.text.TextTable;
import dev.millrace.core.spi.config.ConfigLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Why an entity has the limits it has. */
final class Explained {
  private Explained() {}

  static List<String> text(LimitExplanation explanation) {
    List<String> lines = new ArrayList<>();
    ConfigLevel level = explanation.level();
    lines.add(
        explanation.entityId()
            + " on "
            + explanation.resource()
            + (explanation.registered() ? "" : " (no such entity; limits do not need one)"));
    if (level == null) {
      lines.add("No level has limits: calls must bring them.");
    } else {
      TextTable table = TextTable.ofTexts().row("LIMIT", "FROM", "NOT COUNTING");
      for (LimitExplanation.Origin origin : explanation.limits()) {
        table.row(origin.limit().toString(), origin.level().label(), elsewhere(origin));
      }
      lines.addAll(table.lines());
    }
    ConfigLevel from = explanation.cascade().from();
    lines.add(
        "draws on its parent: "
            + Texts.yesNo(explanation.cascade().draws())
            + (from == null ? "" : ", says " + from.label()));
    lines.add("refused: " + refused(explanation.disabled()));
    for (LimitExplanation.Ancestor ancestor : explanation.ancestors()) {
      lines.add(
          "ancestor "
              + ancestor.entityId()
              + (ancestor.drawnOn() ? ", drawn on" : ", not drawn on")
              + (ancestor.disabled() ? ", disabled" : ""));
    }
    return lines;
  }

  private static String elsewhere(LimitExplanation.Origin origin) {
    Map<ConfigLevel, Limit> sorted = new TreeMap<>(origin.elsewhere());
    return sorted.isEmpty()
        ? "–"
        : sorted.entrySet().stream()
            .map(each -> each.getValue() + " (" + each.getKey().label() + ")")
            .collect(Collectors.joining(", "));
  }

  private static String refused(LimitExplanation.Switch disabled) {
    if (!disabled.isOff()) {
      return "no";
    }
    return "yes, "
        + (disabled.byEntity() ? "the entity is disabled" : "")
        + (disabled.byEntity() && disabled.byResource() ? ", " : "")
        + (disabled.byResource() ? "the resource is disabled" : "");
  }
}
