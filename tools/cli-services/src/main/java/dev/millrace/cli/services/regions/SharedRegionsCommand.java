package dev.millrace.cli.services.regions;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.services.S3LocationConverter;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.EvictionSeal;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.SyncException;
import dev.millrace.regions.SyncListener;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.regions.internal.snapshot.SnapshotReadResult;
import dev.millrace.regions.internal.snapshot.SnapshotReader;
import dev.millrace.regions.internal.snapshot.SnapshotSink;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.internal.S3SnapshotExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.core.exception.SdkException;

/** Declares and shows the regions that share limits. */
@Command(
    name = "regions",
    subcommands = {SyncCommand.class, ExchangeBucketCommand.class},
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
public final class SharedRegionsCommand extends CommandGroup implements ExtraCommand {
  @Command(
      name = "found",
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
    LimitSet shared;
    List<Limit> alone;
    try {
      target =
          entity == null
              ? LimitTarget.resource(resource)
              : LimitTarget.entityResource(entity, resource);
      shared = LimitSet.of(limits.stream().map(LimitNotation::parse).toList());
      alone = own == null ? List.of() : own.stream().map(LimitNotation::parse).toList();
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    return change(options, regions -> regions.share(target, shared, alone, ProgressListener.NONE));
  }

  @Command(
      name = "add",
      description = "Lets a region join; it begins with nothing and is given what it needs.")
  int add(@Mixin RegionsOptions options, @Parameters(paramLabel = "REGION") String region) {
    return change(options, regions -> regions.add(region));
  }

  @Command(name = "drain", description = "Lets a region give away all it has, before it is closed.")
  int drain(@Mixin RegionsOptions options, @Parameters(paramLabel = "REGION") String region) {
    return change(options, regions -> regions.drain(region));
  }

  @Command(
      name = "evict",
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
              converter = S3LocationConverter.class,
              description = "Where its last snapshot is.")
          S3Location location) {
    return change(
        options,
        regions -> {
          List<EvictionSeal> sealed = seals(options, region, location);
          List<EvictionSeal> others = new ArrayList<>();
          regions
              .site()
              .ifPresent(
                  site ->
                      site.others()
                          .forEach(other -> others.addAll(seals(options, other, location))));
          return regions.evict(region, sealed, others);
        });
  }

  /** The seals in the last snapshot of a region; none when there is no snapshot. */
  private static List<EvictionSeal> seals(
      RegionsOptions options, String region, S3Location location) {
    try (ServiceClients clients = options.clients()) {
      SnapshotExchange.FetchResult fetched =
          new S3SnapshotExchange(clients.s3Client(), location).fetch(region, null);
      if (fetched instanceof SnapshotExchange.FetchResult.Missing) {
        return List.of();
      }
      if (!(fetched instanceof SnapshotExchange.FetchResult.Found found)) {
        throw new IllegalStateException("the last snapshot of '" + region + "': " + fetched);
      }
      SnapshotReadResult read =
          SnapshotReader.read(region, found.snapshot(), new SnapshotSink() {});
      if (read instanceof SnapshotReadResult.Accepted accepted) {
        return accepted.header().seals();
      }
      throw new IllegalStateException("the last snapshot of '" + region + "': " + read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Command(name = "status", description = "Shows which region this is, and with whom it shares.")
  int status(
      @Mixin RegionsOptions options,
      @Option(names = "--entity", paramLabel = "ID", description = "With --resource: its shares.")
          @Nullable String entity,
      @Option(names = "--resource", paramLabel = "NAME", description = "With --entity.")
          @Nullable String resource,
      @Option(
              names = "--exchange",
              paramLabel = "s3://BUCKET/PREFIX",
              converter = S3LocationConverter.class,
              description = "Read what the others have published there, and show how all stands.")
          @Nullable S3Location location,
      @Option(names = "--json", description = "Print one JSON object.") boolean json) {
    if ((entity == null) != (resource == null)) {
      throw wrongUsage("--entity and --resource go together");
    }
    return guarded(
        () -> {
          Map<String, @Nullable Object> fields = new LinkedHashMap<>();
          options.with(RegionOperations::site).ifPresent(site -> fields.putAll(site.fields()));
          boolean shares = !fields.isEmpty();
          if (shares && entity != null && resource != null) {
            fields.put("sharesPpm", options.with(regions -> regions.sharesPpm(entity, resource)));
          }
          if (shares && location != null) {
            try (ServiceClients clients = options.clients()) {
              fields.putAll(
                  options
                      .exchange(clients, location, AllocationPolicy.DEFAULT, SyncListener.NONE)
                      .look()
                      .fields());
            }
          }
          List<String> lines = new ArrayList<>();
          fields.forEach((name, value) -> lines.add("%-24s %s".formatted(name, value)));
          return output(json)
              .one(
                  fields,
                  () ->
                      shares
                          ? lines
                          : List.of("shares nothing with other regions; 'regions found' begins"));
        });
  }

  private int change(RegionsOptions options, Function<RegionOperations, ChangeResult> work) {
    return guarded(
        () -> {
          print(options.with(work).changed() ? "changed" : "was so already");
          return ExitCodes.DONE;
        });
  }

  /** Runs work that may be refused, or not reach the table. */
  private int guarded(IntSupplier work) {
    try {
      return work.getAsInt();
    } catch (IllegalArgumentException e) {
      printError("regions", e.getMessage());
      return ExitCodes.USAGE;
    } catch (MillraceException
        | SyncException
        | SdkException
        | IllegalStateException
        | UncheckedIOException e) {
      printError("regions", e.getMessage());
      return ExitCodes.UNREACHABLE;
    }
  }
}
