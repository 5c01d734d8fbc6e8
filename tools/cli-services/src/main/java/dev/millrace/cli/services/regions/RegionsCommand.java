package dev.millrace.cli.services.regions;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.exchange.FetchResult;
import dev.millrace.regions.ledger.EvictionSeal;
import dev.millrace.regions.snapshot.SnapshotHeader;
import dev.millrace.regions.snapshot.SnapshotReadResult;
import dev.millrace.regions.snapshot.SnapshotReader;
import dev.millrace.regions.snapshot.SnapshotRow;
import dev.millrace.regions.snapshot.SnapshotSink;
import dev.millrace.regions.sync.ActiveView;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.RegionOperations;
import dev.millrace.regions.sync.RegionSite;
import dev.millrace.regions.sync.SyncException;
import dev.millrace.regions.sync.SyncListener;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import dev.millrace.s3.S3SnapshotExchange;
import dev.millrace.worker.Endpoints;
import dev.millrace.worker.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;

/** What operators say about regions that share limits. */
@Command(
    name = "regions",
    subcommands = {SyncCommand.class, BucketCommand.class},
    description = {
      "Lets regions share limits. Each region has a table of its own; say the same in all of them.",
      "Every command may be repeated: what is so already stays."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it is so now",
      "2:wrong usage, or refused",
      "5:the table or S3 could not be reached; run it again"
    })
public final class RegionsCommand implements ExtraCommand, Runnable {
  static final int EXIT_DONE = 0;
  static final int EXIT_REFUSED = 2;
  static final int EXIT_UNREACHABLE = ExitCodes.UNREACHABLE;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say what: found, share, status, add, drain, evict, bucket or sync");
  }

  @Command(
      name = "found",
      mixinStandardHelpOptions = true,
      description = "Says which region this table is in, and who shares from the beginning.")
  int found(
      @Mixin RegionsOptions options,
      @Parameters(paramLabel = "REGION", description = "The region of this table.") String self,
      @Option(
              names = "--founders",
              paramLabel = "NAME",
              split = ",",
              required = true,
              description = "Those who divide the limits at the beginning; it never changes.")
          List<String> founders) {
    return change(options, regions -> regions.found(self, founders));
  }

  @Command(
      name = "share",
      mixinStandardHelpOptions = true,
      description = "Shares limits of a resource, or of one entity and resource.")
  int share(
      @Mixin RegionsOptions options,
      @Parameters(
              paramLabel = "LIMIT",
              arity = "1..*",
              description = "What all regions share, such as rpm:6000/min.")
          List<String> limits,
      @Option(names = "--resource", paramLabel = "NAME", required = true) String resource,
      @Option(names = "--entity", paramLabel = "ID", description = "Default: every entity.")
          @Nullable String entity,
      @Option(
              names = "--own",
              paramLabel = "LIMIT",
              description = "A limit of the same target that is this region's alone.")
          @Nullable List<String> own) {
    LimitTarget target;
    LimitSet whole;
    List<Limit> alone;
    try {
      target =
          entity == null
              ? LimitTarget.resource(resource)
              : LimitTarget.entityResource(entity, resource);
      whole = LimitSet.of(parse(limits));
      alone = own == null ? List.of() : parse(own);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return change(options, regions -> regions.share(target, whole, alone, ProgressListener.NONE));
  }

  private static List<Limit> parse(List<String> texts) {
    List<Limit> limits = new ArrayList<>(texts.size());
    texts.forEach(text -> limits.add(LimitNotation.parse(text)));
    return limits;
  }

  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Lets a region join; it begins with nothing and is given what it needs.")
  int add(@Mixin RegionsOptions options, @Parameters(paramLabel = "REGION") String region) {
    return change(options, regions -> regions.add(region));
  }

  @Command(
      name = "drain",
      mixinStandardHelpOptions = true,
      description = "Lets a region give away all it has, before it is closed.")
  int drain(@Mixin RegionsOptions options, @Parameters(paramLabel = "REGION") String region) {
    return change(options, regions -> regions.drain(region));
  }

  @Command(
      name = "evict",
      mixinStandardHelpOptions = true,
      description = {
        "Divides what a region that is gone for good had among the others, once all are told.",
        "It must not serve any more."
      })
  int evict(
      @Mixin RegionsOptions options,
      @Parameters(paramLabel = "REGION") String region,
      @Option(
              names = "--exchange",
              paramLabel = "s3://BUCKET/PREFIX",
              required = true,
              description = "Where its last snapshot is.")
          String place) {
    return guarded(
        () -> {
          S3Location location = location(place);
          List<EvictionSeal> sealed = sealed(options, region, location);
          List<EvictionSeal> told = new ArrayList<>();
          Optional<RegionSite> site = options.with(RegionOperations::site);
          List<String> others = site.map(RegionSite::others).orElse(List.of());
          others.forEach(other -> told.addAll(sealed(options, other, location)));
          return told(options.with(regions -> regions.evict(region, sealed, told)));
        });
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows which region this is, and with whom it shares.")
  int status(
      @Mixin RegionsOptions options,
      @Option(names = "--entity", paramLabel = "ID", description = "With --resource: its shares.")
          @Nullable String entity,
      @Option(names = "--resource", paramLabel = "NAME", description = "With --entity.")
          @Nullable String resource,
      @Option(
              names = "--exchange",
              paramLabel = "s3://BUCKET/PREFIX",
              description = "Read what the others have published there, and show how all stands.")
          @Nullable String place,
      @Option(names = "--json", description = "Print one JSON object.") boolean json) {
    if ((entity == null) != (resource == null)) {
      throw new ParameterException(spec.commandLine(), "--entity and --resource go together");
    }
    return guarded(
        () -> {
          Optional<RegionSite> site = options.with(RegionOperations::site);
          Map<String, @Nullable Object> fields = new LinkedHashMap<>();
          site.ifPresent(found -> fields.putAll(found.fields()));
          if (entity != null && resource != null && site.isPresent()) {
            Map<String, Object> shares = new LinkedHashMap<>();
            options
                .with(regions -> regions.ledgers(entity, resource))
                .forEach((limit, ledger) -> shares.put(limit, ledger.sharePpm()));
            fields.put("sharesPpm", shares);
          }
          if (place != null && site.isPresent()) {
            fields.putAll(look(options, location(place)).fields());
          }
          if (json) {
            print(Fields.json(fields));
          } else if (fields.isEmpty()) {
            print("shares nothing with other regions; 'regions found' begins");
          } else {
            fields.forEach((name, value) -> print("%-24s %s".formatted(name, value)));
          }
          return EXIT_DONE;
        });
  }

  private static CycleReport look(RegionsOptions options, S3Location location) {
    try (Endpoints endpoints = options.endpoints()) {
      DynamoStore store = options.store(endpoints);
      return S3Regions.open(
              store,
              options.namespaceId(store),
              endpoints.s3Client(),
              location,
              AllocationPolicy.DEFAULT,
              SyncListener.NONE,
              ActiveView.NONE)
          .look();
    }
  }

  /** The seals in the last snapshot of a region; none when there is no snapshot. */
  private static List<EvictionSeal> sealed(
      RegionsOptions options, String region, S3Location location) {
    try (Endpoints endpoints = options.endpoints()) {
      FetchResult fetched =
          new S3SnapshotExchange(endpoints.s3Client(), location).fetch(region, null);
      if (fetched instanceof FetchResult.Missing) {
        return List.of();
      }
      if (!(fetched instanceof FetchResult.Found found)) {
        throw new IllegalStateException("the last snapshot of '" + region + "': " + fetched);
      }
      SnapshotReadResult reading =
          SnapshotReader.read(region, found.snapshot(), found.snapshot().sha256(), new Unread());
      if (reading instanceof SnapshotReadResult.Accepted accepted) {
        return accepted.header().seals();
      }
      throw new IllegalStateException("the last snapshot of '" + region + "': " + reading);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Only the header is of interest. */
  private static final class Unread implements SnapshotSink {
    @Override
    public boolean isShrunk(SnapshotHeader header, SnapshotRow row) {
      return false;
    }

    @Override
    public void header(SnapshotHeader header) {}

    @Override
    public void row(SnapshotHeader header, SnapshotRow row) {}
  }

  private S3Location location(String text) {
    return PlaceOption.parse(spec.commandLine(), text);
  }

  private int change(RegionsOptions options, Function<RegionOperations, ChangeResult> work) {
    return guarded(() -> told(options.with(work)));
  }

  private int told(ChangeResult result) {
    print(result.changed() ? "changed" : "was so already");
    return EXIT_DONE;
  }

  /** Work that may be refused, or not reach the table. */
  private interface Work {
    int run();
  }

  private int guarded(Work work) {
    try {
      return work.run();
    } catch (IllegalArgumentException e) {
      return failed(e, EXIT_REFUSED);
    } catch (MillraceException
        | SyncException
        | SdkException
        | IllegalStateException
        | UncheckedIOException e) {
      return failed(e, EXIT_UNREACHABLE);
    }
  }

  private int failed(RuntimeException e, int exit) {
    CommandLine command = spec.commandLine();
    command.getErr().println(command.getColorScheme().errorText("regions: " + e.getMessage()));
    return exit;
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }
}
