package dev.millrace.cli.command;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.JsonText;
import dev.millrace.cli.text.Output;
import dev.millrace.manifest.ChangeCounts;
import dev.millrace.manifest.NamespaceManifest;
import dev.millrace.manifest.internal.BlastRadius;
import dev.millrace.manifest.internal.ManifestChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the differences between a manifest and a namespace, and the results of applying it. */
final class PlanText {
  private PlanText() {}

  /** Prints one difference. */
  static void print(Output output, ManifestChange change) {
    output.one(
        JsonText.object(
            "change", change.kind().name().toLowerCase(Locale.ROOT),
            "subject", change.subject(),
            "before", change.before(),
            "after", change.after(),
            "drift", change.drift()),
        () -> List.of(change.toString()));
  }

  /**
   * Prints the sums of all differences and the affected entities; {@code FOUND} if there are any.
   */
  static int print(Output output, ChangeCounts counts, @Nullable BlastRadius radius) {
    Map<String, @Nullable Object> json = JsonText.object("plan", counts.byName());
    if (radius != null) {
      json.put("buckets", radius.buckets());
      json.put("levelsNotLookedAt", radius.unseenLevels());
      json.put("wouldHaveBeenRefused", radius.refused().stream().map(PlanText::json).toList());
      json.put("wouldHaveBeenRefusedMore", radius.refusedMore());
    }
    output.one(json, () -> text(counts, radius));
    return counts.all() == 0 ? ExitCodes.DONE : ExitCodes.FOUND;
  }

  private static Map<String, @Nullable Object> json(BlastRadius.AffectedEntity refused) {
    return JsonText.object(
        "entity", refused.entityId(),
        "resource", refused.resource(),
        "limit", refused.limit().toString(),
        "usedMilli", refused.usedMilli(),
        "mostMilli", refused.mostMilli(),
        "hour", refused.hour().toString());
  }

  private static List<String> text(ChangeCounts counts, @Nullable BlastRadius radius) {
    if (counts.all() == 0) {
      return List.of("Nothing to do: everything is as the manifest wants it.");
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        format(
            "Plan: %,d to add, %,d to change, %,d to remove, %,d changed by hand%s.",
            counts.added(),
            counts.changed(),
            counts.removed(),
            counts.drifted(),
            counts.impossible() == 0 ? "" : format(", %,d impossible", counts.impossible())));
    if (radius == null) {
      return lines;
    }
    String unseen =
        radius.unseenLevels() == 0
            ? ""
            : format(
                " of the first %,d levels (%,d more were not looked at)",
                BlastRadius.MAX_LEVELS, radius.unseenLevels());
    lines.add(
        format(
            "Blast radius: %,d entities, %,d buckets%s.",
            counts.entities(), radius.buckets(), unseen));
    if (radius.refused().isEmpty()) {
      lines.add("Nobody used more in an hour of the last day than the new limits admit.");
      return lines;
    }
    lines.add("In the last day these used more in an hour than the new limits admit:");
    for (BlastRadius.AffectedEntity each : radius.refused()) {
      lines.add(
          "  %s on %s: %s of %s at %s, at most %s an hour"
              .formatted(
                  each.entityId(),
                  each.resource(),
                  Bars.tokens(each.usedMilli()),
                  each.limit(),
                  each.hour(),
                  Bars.tokens(each.mostMilli())));
    }
    if (radius.refusedMore() > 0) {
      lines.add(format("  … and %,d more", radius.refusedMore()));
    }
    return lines;
  }

  /** Prints the results of an apply, refusals line by line. */
  static int print(Output output, String done, NamespaceManifest.Result result) {
    ChangeCounts counts = result.counts();
    List<String> lines = new ArrayList<>();
    lines.add(
        counts.all() == 0
            ? "Nothing to do: everything is so already."
            : format(
                "%s: %,d added, %,d changed, %,d removed, %,d mended that were changed by"
                    + " hand; %,d entities",
                done,
                counts.added(),
                counts.changed(),
                counts.removed(),
                counts.drifted(),
                counts.entities()));
    result.refusals().forEach(refusal -> lines.add("refused: " + refusal));
    output.one(
        JsonText.object(
            done, counts.byName(), "refused", result.refused(), "refusals", result.refusals()),
        () -> lines);
    return result.refused() == 0 ? ExitCodes.DONE : ExitCodes.REFUSED;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
