package dev.millrace.regions;

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
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.internal.ledger.LedgerText;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A region with the production code: a table, a limiter, an operator, and a process that syncs. */
final class LiveRegion implements AutoCloseable {
  static final String RESOURCE = "gpt-4";
  static final String LIMIT = "rpm";

  final String name;
  final ManualClock clock;
  final HarmedStore harmed;
  final RegionOperations sharing;

  private final InMemoryStore memory = new InMemoryStore();
  private final Admin admin;
  private final RateLimiter limiter;
  private final SnapshotExchange exchange;
  private final SyncListener listener;
  private final BlockingStore seenBySync;
  private RegionExchange process;
  private int ids;

  LiveRegion(
      String name,
      long startMs,
      SnapshotExchange exchange,
      RandomFaults harm,
      SyncListener listener,
      UnaryOperator<BlockingStore> mutant) {
    this.name = name;
    this.clock = new ManualClock(startMs);
    this.exchange = exchange;
    this.listener = listener;
    this.harmed = new HarmedStore(memory, harm);
    this.seenBySync = mutant.apply(harmed);
    this.admin = Admin.of(memory, AdminOptions.builder("operator").clockMs(clock::nowMs).build());
    this.sharing = new RegionOperations(admin.in("default"), AllocationPolicy.DEFAULT);
    this.limiter = RateLimiter.create(memory, LimiterOptions.builder().time(clock).build());
    this.process = process();
  }

  void setUp(List<String> founders, Limit whole) {
    sharing.found(name, founders);
    sharing.share(
        LimitTarget.resource(RESOURCE), LimitSet.of(whole), List.of(), ProgressListener.NONE);
  }

  private RegionExchange process() {
    return new RegionExchange(
        new RegionSync(
            seenBySync,
            "default",
            AllocationPolicy.DEFAULT,
            clock::nowMs,
            () -> name + "." + ids++,
            listener,
            ActiveView.NONE),
        exchange,
        AllocationPolicy.DEFAULT,
        listener);
  }

  /** The process is started anew, with nothing in memory. */
  void restart() {
    process = process();
  }

  /** One window; null when the process died or gave up in it. */
  @Nullable CycleReport cycle() {
    try {
      return process.cycle();
    } catch (RandomFaults.Crash e) {
      restart();
      return null;
    } catch (SyncException e) {
      return null; // the table did not answer; the next window comes
    }
  }

  boolean acquire(String entity, long tokens) {
    AcquireRequest request = AcquireRequest.of(entity, RESOURCE).consume(LIMIT, tokens);
    if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
      granted.lease().close();
      return true;
    }
    return false;
  }

  void setByHand(String entity, Limit limit) {
    admin
        .in("default")
        .limits()
        .set(LimitTarget.entityResource(entity, RESOURCE), LimitSet.of(limit));
  }

  void deleteByHand(String entity) {
    admin.in("default").limits().delete(LimitTarget.entityResource(entity, RESOURCE));
  }

  @Nullable ConfigRecord config(String entity) {
    return (ConfigRecord)
        memory.record(RecordKey.Config.ofEntityResource("default", entity, RESOURCE));
  }

  boolean isOperators(String entity) {
    ConfigRecord config = config(entity);
    return config != null && config.isOperators();
  }

  RegionSite site() {
    return Objects.requireNonNull(
        RegionSite.of((ConfigRecord) memory.record(RecordKey.Config.ofSystem("default"))));
  }

  LimitLedger ledger(String entity) {
    ConfigRecord config = config(entity);
    RegionsPart regions = config == null ? null : config.regions();
    String text = regions == null ? null : regions.texts().get(LIMIT);
    return text == null ? site().declaration().initial(name) : LedgerText.parse(name, text);
  }

  /** What the bucket can hold; −1 when there is none. */
  long ceilingMilli(String entity) {
    BucketState bucket = bucket(entity);
    return bucket == null ? -1 : limit(bucket).ceilingMilli(bucket.share());
  }

  /** What the bucket has; one that is not there would be made full. */
  long balanceMilli(String entity, long ceilingMilli) {
    BucketState bucket = bucket(entity);
    return bucket == null ? ceilingMilli : TokenDivision.balanceMilli(bucket, LIMIT, clock.nowMs());
  }

  private @Nullable BucketState bucket(String entity) {
    return memory.snapshot(BucketKey.first("default", entity, RESOURCE));
  }

  private static LimitState limit(BucketState bucket) {
    return Objects.requireNonNull(bucket.find(LIMIT));
  }

  @Override
  public void close() {
    limiter.close();
    admin.close();
  }
}
