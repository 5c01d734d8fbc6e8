package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.TransferRow;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotHeader;
import dev.millrace.regions.internal.snapshot.SnapshotReadResult;
import dev.millrace.regions.internal.snapshot.SnapshotReader;
import dev.millrace.regions.internal.snapshot.SnapshotSink;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Regions with a table and limiters each, and snapshots that are carried by hand. */
final class World implements AutoCloseable {
  static final String RESOURCE = "gpt-4";
  static final String ENTITY = "acme";
  static final Limit RPM = Limit.perMinute("rpm", 6_000);
  static final BucketKey BUCKET = BucketKey.first("default", ENTITY, RESOURCE);
  static final AllocationPolicy POLICY = AllocationPolicy.DEFAULT;

  final ManualClock clock = new ManualClock(1_700_000_000_000L);
  final Map<String, Region> regions = new TreeMap<>();
  final List<String> founders;

  World(String... founders) {
    this.founders = List.of(founders);
    this.founders.forEach(this::open);
  }

  /** One region. */
  final class Region implements AutoCloseable {
    final String name;
    final InMemoryStore memory = new InMemoryStore();
    final FaultyStore store = FaultyStore.over(memory);
    final Admin admin =
        Admin.of(store, AdminOptions.builder("operator").clockMs(clock::nowMs).build());
    final RegionOperations sharing = new RegionOperations(admin.in("default"), POLICY);
    final RateLimiter limiter =
        RateLimiter.create(store, LimiterOptions.builder().time(clock).build());
    final PeerView peers = new PeerView();
    final Events events = new Events();
    private final RegionSync sync;

    private long sequence;
    private int ids;
    @Nullable EncodedSnapshot published;

    Region(String name) {
      this.name = name;
      this.sync = newSync();
    }

    /** As a process that has just started has it: what was known of windows before is gone. */
    RegionSync newSync() {
      return new RegionSync(
          store,
          "default",
          POLICY,
          clock::nowMs,
          () -> name + "." + ids++,
          events,
          ActiveView.NONE);
    }

    /** Declares everything. */
    void setUp() {
      sharing.found(name, founders);
      sharing.share(
          LimitTarget.resource(RESOURCE), LimitSet.of(RPM), List.of(), ProgressListener.NONE);
    }

    RegionSync sync() {
      return sync;
    }

    RegionSync.Outcome step() {
      return sync.step(Objects.requireNonNull(sync.site()), peers);
    }

    void publish(RegionSync.Outcome outcome) {
      if (!outcome.isPublishable()) {
        return;
      }
      try {
        published =
            EncodedSnapshot.of(
                new SnapshotHeader(
                    name,
                    ++sequence,
                    clock.nowMs(),
                    POLICY.windowMs(),
                    outcome.seals(),
                    outcome.rows().size()),
                outcome.rows());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void hear(Region other) {
      EncodedSnapshot snapshot = other.published;
      if (snapshot == null) {
        return;
      }
      try {
        SnapshotReadResult reading =
            SnapshotReader.read(
                other.name, snapshot, new SnapshotSink.PeerSink(peers, clock.nowMs()));
        assertThat(reading).isInstanceOf(SnapshotReadResult.Accepted.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** How many requests of one token each are admitted of so many. */
    int ask(int requests) {
      return askOf(ENTITY, requests);
    }

    int askOf(String entity, int requests) {
      int admitted = 0;
      for (int i = 0; i < requests; i++) {
        AcquireRequest request = AcquireRequest.of(entity, RESOURCE).consume("rpm", 1);
        if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
          granted.lease().close();
          admitted++;
        }
      }
      return admitted;
    }

    LimitLedger ledger() {
      ConfigRecord config =
          (ConfigRecord) record(RecordKey.Config.ofEntityResource("default", ENTITY, RESOURCE));
      RegionsPart part = config == null ? null : config.regions();
      String text = part == null ? null : part.texts().get("rpm");
      return text == null
          ? Objects.requireNonNull(sync.site()).declaration().initial(name)
          : LedgerText.parse(name, text);
    }

    @Nullable Object record(RecordKey key) {
      StoreReply reply = memory.execute(new StoreCall.Lookup(List.of(key), true), 1);
      return ((StoreReply.Records) reply).records().get(key);
    }

    List<BucketState> shards() {
      return IntStream.range(0, 64)
          .mapToObj(BUCKET::withShard)
          .map(memory::snapshot)
          .filter(Objects::nonNull)
          .toList();
    }

    /** What the bucket holds and may hold, and what it has consumed. */
    long ceilingMilli() {
      return shards().stream().mapToLong(shard -> rpm(shard).ceilingMilli(shard.share())).sum();
    }

    long balanceMilli() {
      return shards().stream()
          .mapToLong(shard -> TokenDivision.balanceMilli(shard, "rpm", clock.nowMs()))
          .sum();
    }

    long consumedMilli() {
      return PairState.consumedMilli(shards(), "rpm");
    }

    @Override
    public void close() {
      limiter.close();
      admin.close();
    }
  }

  static LimitState rpm(BucketState shard) {
    return Objects.requireNonNull(shard.find("rpm"));
  }

  Region open(String name) {
    Region region = new Region(name);
    regions.put(name, region);
    region.setUp();
    return region;
  }

  Region region(String name) {
    return Objects.requireNonNull(regions.get(name));
  }

  /** A window of all regions, in which every snapshot arrives. */
  void window() {
    window(regions.keySet().toArray(new String[0]));
  }

  void window(String... alive) {
    clock.advance(Duration.ofMillis(POLICY.windowMs()));
    List<Region> all = new ArrayList<>();
    for (String name : alive) {
      all.add(region(name));
    }
    for (Region region : all) {
      regions
          .values()
          .forEach(
              other -> {
                if (other != region) {
                  region.hear(other);
                }
              });
      region.publish(region.step());
    }
    requireWhole();
  }

  /** So many windows, in each of which one region is asked for more than there is. */
  void heat(String hot, int windows) {
    for (int i = 0; i < windows; i++) {
      region(hot).ask(3_000);
      window();
    }
  }

  /** What all hold, and what is on its way, is the whole; and each enforces what it holds. */
  void requireWhole() {
    long held = 0;
    long ceilingsMilli = 0;
    for (Region region : regions.values()) {
      LimitLedger ledger = region.ledger();
      held += ledger.sharePpm();
      for (Map.Entry<String, TransferRow> gave : ledger.dealings().gave().entrySet()) {
        Region to = regions.get(gave.getKey());
        TransferRow got = to == null ? TransferRow.ZERO : to.ledger().dealings().got(region.name);
        held += gave.getValue().minus(got).ppm();
      }
      ceilingsMilli += region.ceilingMilli();
      assertThat(region.ceilingMilli())
          .as("%s enforces what it holds", region.name)
          .isLessThanOrEqualTo(Math.max(1, RPM.burstMilli() * ledger.sharePpm() / 1_000_000));
    }
    assertThat(held).isEqualTo(1_000_000);
    assertThat(ceilingsMilli).isLessThanOrEqualTo(RPM.burstMilli() + regions.size());
  }

  long consumedMilli() {
    return regions.values().stream().mapToLong(Region::consumedMilli).sum();
  }

  /** What was told. */
  static final class Events implements SyncListener {
    final List<String> told = new ArrayList<>();

    @Override
    public void onChanged(String entity, String resource, String limit, int before, int after) {
      told.add(limit + " " + before + " -> " + after);
    }

    @Override
    public void onEvicted(String by) {
      told.add("evicted by " + by);
    }

    @Override
    public void onWithdrawn(String entity, String resource) {
      told.add("withdrawn " + entity);
    }

    @Override
    public void onOperators(String entity, String resource) {
      told.add("operators " + entity);
    }

    @Override
    public void onRefusedRow(String reason, String message) {
      told.add("refused " + reason + " " + message);
    }

    @Override
    public void onContended(String entity, String resource) {
      told.add("contended " + entity);
    }

    @Override
    public void onPairFailed(String entity, String resource, RuntimeException failure) {
      told.add("failed " + entity + ": " + failure.getMessage());
    }
  }

  @Override
  public void close() {
    regions.values().forEach(Region::close);
  }
}
