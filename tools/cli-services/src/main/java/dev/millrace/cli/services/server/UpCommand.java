package dev.millrace.cli.services.server;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.text.JsonText;
import dev.millrace.cli.text.Output;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.embedded.EmbeddedDynamo;
import dev.millrace.server.ServerException;
import dev.millrace.server.config.Config;
import dev.millrace.server.config.ConfigKey;
import dev.millrace.server.config.ServerSettings;
import dev.millrace.server.process.RunningServer;
import dev.millrace.server.process.StopRequest;
import dev.millrace.server.process.TableClients;
import dev.millrace.worker.AggregatorWorker;
import dev.millrace.worker.WorkerMetrics;
import dev.millrace.worker.WorkerSettings;
import dev.millrace.worker.kcl.StreamSettings;
import dev.millrace.worker.letters.FileDeadLetters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs an engine, a server, a worker and sample tenants on this machine. */
@Command(
    name = "up",
    description = {
      "Runs Millrace on this machine without AWS: DynamoDB Local, a server and a worker.",
      "What it stores is kept; the first run makes sample tenants."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:stopped as asked", "2:wrong usage", "5:could not start"})
public final class UpCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  private static final String TABLE = "limits";
  private static final Duration FAILOVER = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(500);

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "Port to listen on; 0 for any that is free (default: ${DEFAULT-VALUE}).")
  private String port;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address to listen on; others need --keys (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = ".millrace",
      description = "Where it keeps what it stores (default: ${DEFAULT-VALUE}).")
  private Path data;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "File of keys that may call (default: everybody on this machine may).")
  private @Nullable String keys;

  @Option(
      names = "--envoy-mapping",
      paramLabel = "FILE",
      description = "File that maps Envoy's descriptors to buckets (default: none).")
  private @Nullable String envoyMapping;

  @Option(names = "--no-samples", description = "Make no sample tenants.")
  private boolean noSamples;

  @Option(names = "--no-worker", description = "Count no usage.")
  private boolean noWorker;

  @Option(names = "--json", description = "Print what happens as lines of JSON.")
  private boolean json;

  @Override
  public Integer call() {
    Output output = output(json);
    try {
      StateDirectory state = StateDirectory.open(data);
      ServerSettings settings = ServerSettings.of(config(state));
      run(settings, state, output);
      return ExitCodes.DONE;
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    } catch (ServerException e) {
      throw new CommandFailure(ExitCodes.UNREACHABLE, String.valueOf(e.getMessage()));
    }
  }

  private Config config(StateDirectory state) {
    Map<String, String> flags = new HashMap<>();
    flags.put(ConfigKey.PORT.flag(), port);
    flags.put(ConfigKey.HOST.flag(), host);
    flags.put(ConfigKey.LEASE_SECRET.flag(), state.leaseSecret());
    if (keys != null) {
      flags.put(ConfigKey.KEYS.flag(), keys);
    }
    if (envoyMapping != null) {
      flags.put(ConfigKey.ENVOY_MAPPING.flag(), envoyMapping);
    }
    return Config.resolve(null, ignored -> null, flags::get);
  }

  private void run(ServerSettings settings, StateDirectory state, Output output) {
    try (StopRequest stop = new StopRequest();
        EmbeddedDynamo engine =
            EmbeddedDynamo.onDisk(state.path()).onProgress(output::note).start();
        TableClients table = TableClients.open(engine.endpoint(), null, TABLE)) {
      boolean first = TableAdmin.of(table.client(), TABLE).createIfMissing();
      if (first && !noSamples) {
        try (Admin admin = Admin.of(table.buckets(), AdminOptions.of(SampleTenants.ACTOR))) {
          SampleTenants.create(admin);
        }
      }
      try (ServiceClients clients = ServiceClients.of(engine.endpoint(), null, null, null);
          AggregatorWorker worker = worker(clients, state);
          RunningServer server = new RunningServer(settings, table, /* local= */ true)) {
        ready(output, server.server().uri(), engine.endpoint(), worker != null);
        stop.await(server.server(), settings.drainWait());
        output.line("stopping");
      }
    }
  }

  private @Nullable AggregatorWorker worker(ServiceClients clients, StateDirectory state) {
    if (noWorker) {
      return null;
    }
    return AggregatorWorker.start(
        clients.streamClients(TABLE),
        new WorkerSettings(
            TABLE,
            new StreamSettings(
                TABLE + "-aggregator",
                "up-" + UUID.randomUUID(),
                FAILOVER,
                POLL,
                StreamSettings.MAX_BATCH,
                StreamSettings.Start.OLDEST),
            /* zones= */ Set.of(),
            new FileDeadLetters(state.path().resolve("dead-letters.jsonl")),
            null,
            /* growth= */ true),
        new WorkerMetrics(new SimpleMeterRegistry(), System::currentTimeMillis),
        null);
  }

  private void ready(Output output, URI url, URI engine, boolean counted) {
    output.one(
        JsonText.object(
            "event",
            "ready",
            "url",
            url.toString(),
            "endpoint",
            engine.toString(),
            "table",
            TABLE,
            "data",
            data.toString(),
            "worker",
            counted),
        () ->
            List.of(
                "Millrace is ready: " + url,
                "Open it in a browser to see what happens.",
                "",
                "Ask for tokens:",
                "  curl -s "
                    + url
                    + "v1/namespaces/default/acquire -H 'Content-Type: application/json' \\",
                "    -d '{\"entity\":\"key-alice\",\"resource\":\"gpt-4o\",\"consume\":{\"rpm\":1,\"tpm\":500}}'",
                "See what is left:",
                "  curl -s " + url + "v1/namespaces/default/entities/key-alice/availability/gpt-4o",
                "Administer it:",
                "  ./millrace entity list --endpoint " + engine,
                "",
                "What it stores is in " + data + ". Stop it with Ctrl-C."));
  }
}
