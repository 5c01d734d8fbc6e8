package dev.millrace.cli.command;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.Output;
import dev.millrace.manifest.plan.BlastRadius;
import dev.millrace.manifest.plan.ChangeCounts;
import dev.millrace.manifest.plan.ManifestApplier;
import dev.millrace.manifest.plan.ManifestChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans and what came of them, for people and for machines. */
final class PlanText {
  private PlanText() {}

  /** One difference. */
  static void print(Output output, ManifestChange change) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("change", change.kind().name().toLowerCase(Locale.ROOT));
    json.put("subject", change.subject());
    json.put("before", change.before());
    json.put("after", change.after());
    json.put("drift", change.drift());
    output.one(json, change.toString());
  }

  /** All differences together, and whom they would meet. */
  static void print(Output output, ChangeCounts counts, @Nullable BlastRadius radius) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("plan", counts.byName());
    if (radius != null) {
      json.put("buckets", radius.buckets());
      json.put("levelsNotLookedAt", radius.unseenLevels());
      List<Map<String, Object>> refused = new ArrayList<>();
      radius.refused().forEach(each -> refused.add(json(each)));
      json.put("wouldHaveBeenRefused", refused);
      json.put("wouldHaveBeenRefusedMore", radius.refusedMore());
    }
    output.one(json, () -> text(counts, radius));
  }

  private static Map<String, Object> json(BlastRadius.AffectedEntity refused) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("entity", refused.entityId());
    json.put("resource", refused.resource());
    json.put("limit", refused.limit().toString());
    json.put("usedMilli", refused.usedMilli());
    json.put("mostMilli", refused.mostMilli());
    json.put("hour", refused.hour().toString());
    return json;
  }

  private static List<String> text(ChangeCounts counts, @Nullable BlastRadius radius) {
    if (counts.all() == 0) {
      return List.of("Nothing to do: everything is as the manifest wants it.");
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Plan: " + sums(counts) + ".");
    if (radius == null) {
      return lines;
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "Blast radius: %,d entities, %,d buckets%s.",
            counts.entities(),
            radius.buckets(),
            radius.unseenLevels() == 0
                ? ""
                : String.format(
                    Locale.ROOT,
                    " of the first %,d levels (%,d more were not looked at)",
                    BlastRadius.MAX_LEVELS,
                    radius.unseenLevels())));
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
      lines.add(String.format(Locale.ROOT, "  … and %,d more", radius.refusedMore()));
    }
    return lines;
  }

  private static String sums(ChangeCounts counts) {
    return String.format(
        Locale.ROOT,
        "%,d to add, %,d to change, %,d to remove, %,d changed by hand%s",
        counts.added(),
        counts.changed(),
        counts.removed(),
        counts.drifted(),
        counts.impossible() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d impossible", counts.impossible()));
  }

  /** What came of it; what was refused is told line by line. */
  static int print(Output output, String done, ManifestApplier.Result result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put(done, result.counts().byName());
    json.put("refused", result.refused());
    json.put("refusals", result.refusals());
    ChangeCounts counts = result.counts();
    output.one(
        json,
        () -> {
          List<String> lines = new ArrayList<>();
          lines.add(
              counts.all() == 0
                  ? "Nothing to do: everything is so already."
                  : String.format(
                      Locale.ROOT,
                      "%s: %,d added, %,d changed, %,d removed, %,d mended that were changed by"
                          + " hand; %,d entities",
                      done,
                      counts.added(),
                      counts.changed(),
                      counts.removed(),
                      counts.drifted(),
                      counts.entities()));
          result.refusals().forEach(refusal -> lines.add("refused: " + refusal));
          return lines;
        });
    return result.refused() == 0 ? ExitCodes.DONE : ExitCodes.REFUSED;
  }
}
