package dev.millrace.cli.services.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.cli.Millrace;
import dev.millrace.cli.services.Await;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.services.exact.Child;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.TransferRow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Three regions: three tables, one server of S3, and for each region a process that exchanges and
 * one that has its traffic. A process is killed, S3 goes away, a region is evicted; at the end all
 * rights are accounted for, and no more was admitted than one bucket would have.
 *
 * <p>Short here; {@code docs/contribute/testing.md} tells how to run it for longer.
 */
class RegionsIT {
  private static final int AWAY_SECONDS = Integer.getInteger("millrace.regions.awaySeconds", 4);
  private static final long LIMIT = 1_800;
  private static final String SHARED = "rpm:" + LIMIT + "/min";
  private static final String PLACE = "s3://sync/prod";
  private static final List<String> FOUNDERS = List.of("ap", "eu", "us");
  private static final int WHOLE = 1_000_000;

  private final List<Child> children = new ArrayList<>();
  private final Map<String, Child> syncs = new HashMap<>();
  private final Map<String, Child> traffic = new HashMap<>();
  private final EmbeddedS3 s3 = EmbeddedS3.start();
  private final ServiceClients clients =
      ServiceClients.of(SharedEngine.endpoint(), s3.endpoint(), null, null);
  private final DynamoDbClient dynamo = clients.dynamoClient();

  @TempDir private Path directory;

  @Test
  void regions_killedCutOffAndEvicted_shareOneLimitAndNeverExceedIt() throws Exception {
    clients.s3Client().createBucket(b -> b.bucket("sync"));
    try {
      for (String region : FOUNDERS) {
        TableAdmin.of(dynamo, table(region)).createIfMissing();
        command(region, "found", region, "--founders=" + String.join(",", FOUNDERS));
        command(region, "share", SHARED, "--resource=" + RegionTraffic.RESOURCE);
      }
      long began = System.nanoTime();
      FOUNDERS.forEach(this::startSync);
      traffic.put("eu", start("traffic-eu", RegionTraffic.class, trafficArgs("eu", 400)));
      traffic.put("ap", start("traffic-ap", RegionTraffic.class, trafficArgs("ap", 5)));
      Await.until("eu gets what the others do not need", () -> share("eu") > WHOLE / 2);

      Objects.requireNonNull(syncs.get("us")).kill();
      s3.stop();
      Await.until(
          "the others notice",
          () -> Objects.requireNonNull(syncs.get("eu")).story().contains("cannot read"));
      long away = System.nanoTime() + AWAY_SECONDS * 1_000_000_000L;
      Await.until("S3 is away for a while", () -> System.nanoTime() > away);
      s3.resume();
      startSync("us");
      traffic.put("us", start("traffic-us", RegionTraffic.class, trafficArgs("us", 400)));
      Await.until("us gets more than it was left", () -> share("us") > WHOLE / 4);

      Objects.requireNonNull(traffic.get("ap")).kill();
      Objects.requireNonNull(syncs.get("ap")).kill();
      for (String region : List.of("eu", "us")) {
        command(region, "evict", "ap", "--exchange=" + PLACE, "--s3-endpoint=" + s3.endpoint());
      }
      Await.until(
          "what ap held is with the others",
          () -> ledger("eu").evicted().contains("ap") && ledger("us").evicted().contains("ap"));
      Objects.requireNonNull(traffic.get("eu")).kill();
      Objects.requireNonNull(traffic.get("us")).kill();
      Await.until("what was given arrives", () -> share("eu") + share("us") == WHOLE);
      // Between that look and the last window more may be given: it is on its way then.
      for (String region : List.of("eu", "us")) {
        Objects.requireNonNull(syncs.get(region)).terminate();
      }
      long elapsedMs = (System.nanoTime() - began) / 1_000_000;

      long onTheirWay = inFlight("eu", "us") + inFlight("us", "eu");
      assertThat(share("eu") + share("us") + onTheirWay).isEqualTo(WHOLE);
      assertThat(capacityMilli("eu") + capacityMilli("us") + onTheirWay * LIMIT * 1_000 / WHOLE)
          .as("what they enforce, and %d ppm that nobody does", onTheirWay)
          .isBetween(LIMIT * 1_000 - 3, LIMIT * 1_000);
      long consumedMilli = FOUNDERS.stream().mapToLong(this::consumedMilli).sum();
      assertThat(consumedMilli)
          .as("of one bucket, in %d ms", elapsedMs)
          .isLessThanOrEqualTo(LIMIT * 1_000 + LIMIT * elapsedMs / 60 + 3)
          .isGreaterThan(LIMIT * 1_000 / 6); // something was admitted, however slow the machine
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + stories(), e);
    } finally {
      children.forEach(Child::close);
      clients.close();
      s3.close();
    }
  }

  /** What everybody holds, and what the processes last said. */
  private String stories() {
    StringBuilder stories = new StringBuilder();
    for (String region : FOUNDERS) {
      stories.append("\n").append(ledger(region));
    }
    for (Child child : children) {
      List<String> lines = child.lines();
      String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
      stories.append("\n").append(child.story()).append("\n").append(last);
    }
    return stories.toString();
  }

  private static String table(String region) {
    return "regions-" + region + "-" + ProcessHandle.current().pid();
  }

  private void command(String region, String name, String... args) {
    StringWriter out = new StringWriter();
    List<String> all =
        new ArrayList<>(
            List.of(
                name,
                "--endpoint=" + SharedEngine.endpoint(),
                "--table=" + table(region),
                "--actor=test"));
    all.addAll(Arrays.asList(args));
    int exit =
        new CommandLine(new SharedRegionsCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(out, true))
            .execute(all.toArray(new String[0]));
    assertThat(exit).as("%s %s: %s", region, all, out).isZero();
  }

  private void startSync(String region) {
    syncs.put(
        region,
        start(
            "sync-" + region + "-" + children.size(),
            Millrace.class,
            List.of(
                "regions",
                "sync",
                "--endpoint=" + SharedEngine.endpoint(),
                "--s3-endpoint=" + s3.endpoint(),
                "--table=" + table(region),
                "--exchange=" + PLACE,
                "--window=1",
                "--json")));
  }

  private static List<String> trafficArgs(String region, int perSecond) {
    return List.of(SharedEngine.endpoint().toString(), table(region), String.valueOf(perSecond));
  }

  private Child start(String name, Class<?> main, List<String> args) {
    Child child = Child.start(name, directory, main, args);
    children.add(child);
    return child;
  }

  private LimitLedger ledger(String region) {
    try (Admin admin = Admin.of(DynamoStore.of(dynamo, table(region)), AdminOptions.of("test"))) {
      NamespaceAdmin namespace = admin.in("default");
      LimitTarget target = LimitTarget.entityResource(RegionTraffic.ENTITY, RegionTraffic.RESOURCE);
      String kept = namespace.regions().kept(target).get("rpm");
      RegionOperations regions = new RegionOperations(namespace, AllocationPolicy.DEFAULT);
      return kept == null
          ? regions.site().orElseThrow().declaration().initial(region)
          : LedgerText.parse(region, kept);
    }
  }

  private int share(String region) {
    return ledger(region).sharePpm();
  }

  private long inFlight(String from, String to) {
    TransferRow gave = ledger(from).dealings().gave(to);
    return gave.minus(ledger(to).dealings().got(from)).ppm();
  }

  private List<BucketState> shards(String region) {
    BucketKey first = BucketKey.first("default", RegionTraffic.ENTITY, RegionTraffic.RESOURCE);
    List<BucketKey> keys = IntStream.range(0, 64).mapToObj(first::withShard).toList();
    StoreReply reply =
        DynamoStore.of(dynamo, table(region)).execute(new StoreCall.ReadAll(keys), 10_000);
    return List.copyOf(((StoreReply.FoundAll) reply).states().values());
  }

  private static LimitState rpm(BucketState shard) {
    return Objects.requireNonNull(shard.find("rpm"));
  }

  private long consumedMilli(String region) {
    return shards(region).stream().mapToLong(shard -> rpm(shard).consumedMilli()).sum();
  }

  private long capacityMilli(String region) {
    return shards(region).stream().mapToLong(shard -> rpm(shard).ceilingMilli(shard.share())).sum();
  }
}
