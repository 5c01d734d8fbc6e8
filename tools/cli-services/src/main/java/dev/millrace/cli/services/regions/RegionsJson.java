package dev.millrace.cli.services.regions;

import dev.millrace.regions.sync.CycleReport;
import dev.millrace.worker.Fields;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the commands print for machines. */
final class RegionsJson {
  private RegionsJson() {}

  /** A window, and what was refused since the start. */
  static String of(CycleReport report, Map<String, Long> refusals) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("event", "window");
    fields.putAll(report.fields());
    fields.put("refused", refusals);
    return Fields.json(fields);
  }
}
