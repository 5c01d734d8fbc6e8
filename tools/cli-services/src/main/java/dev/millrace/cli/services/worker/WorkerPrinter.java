package dev.millrace.cli.services.worker;

import dev.millrace.worker.Fields;
import dev.millrace.worker.WorkerMetrics;
import dev.millrace.worker.WorkerMetrics.Count;
import dev.millrace.worker.WorkerSettings;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Says what a worker does, for people or as lines of JSON. */
final class WorkerPrinter {
  private final CommandLine command;
  private final boolean json;

  WorkerPrinter(CommandLine command, boolean json) {
    this.command = command;
    this.json = json;
  }

  void progress(String line) {
    command.getErr().println(line);
  }

  void error(@Nullable String message) {
    command.getErr().println(command.getColorScheme().errorText("worker: " + message));
  }

  void started(WorkerSettings settings, @Nullable URI endpoint, int healthPort) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("event", "started");
    fields.put("worker", settings.stream().worker());
    fields.put("table", settings.table());
    fields.put("application", settings.stream().application());
    if (endpoint != null) {
      fields.put("endpoint", endpoint.toString());
    }
    if (healthPort >= 0) {
      fields.put("healthPort", healthPort);
    }
    if (json) {
      print(Fields.json(fields));
      return;
    }
    print(
        "%s reads the stream of %s%s"
            .formatted(
                settings.stream().worker(),
                settings.table(),
                endpoint == null ? "" : " at " + endpoint));
    if (healthPort >= 0) {
      print("/health and /metrics are on port " + healthPort);
    }
  }

  void stopped(WorkerMetrics metrics, boolean asked) {
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("event", asked ? "stopped" : "gaveUp");
      fields.putAll(metrics.fields());
      print(Fields.json(fields));
      return;
    }
    print(
        "%s: %,d records, %,d applied, %,d had been before, %,d ignored, %,d to the dead letters"
            .formatted(
                asked ? "stopped" : "gave up",
                metrics.count(Count.RECORDS),
                metrics.count(Count.APPLIED),
                metrics.count(Count.DUPLICATES),
                metrics.count(Count.IGNORED),
                metrics.count(Count.POISON)));
  }

  private void print(String line) {
    command.getOut().println(line);
    command.getOut().flush();
  }
}
