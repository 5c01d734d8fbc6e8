package dev.millrace.deploy.cost;

import dev.millrace.deploy.cost.MonthlyLoad.AggregatorKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The computation of the bill for a load. Where traffic decides, the dearer case is taken: every
 * entity is looked up by every process in every minute, as far as there are requests to do so.
 */
public final class Calculator {
  private static final double MILLION = 1e6;
  private static final double GB = 1e9;
  private static final double MONTH_SECONDS = 730 * 3_600.0;
  private static final double MONTH_MINUTES = 730 * 60.0;

  /** DynamoDB adds so much to every item and every entry of an index. */
  private static final double ITEM_OVERHEAD = 100;

  /** Keys of the table and of an index, for names of the usual length. */
  private static final double INDEX_ENTRY = 260;

  private static final double USAGE_ITEM = 400;
  private static final int BUCKET_INDEXES = 2;
  private static final int NAMESPACE_LENGTH = 7;
  private static final int ENTITY_AND_RESOURCE_LENGTH = 36 + 20;
  private static final int LIMIT_NAME_LENGTH = 3;

  private static final double BATCH = 1_000;
  private static final double FUNCTION_GB = 0.5;
  private static final double BATCH_OVERHEAD_SECONDS = 0.02;

  /** The time of a write of usage; the function makes one after the other. */
  private static final double WRITE_SECONDS = 0.004;

  /** A worker reads each shard of the stream so often. */
  private static final double POLLS_PER_SECOND = 4;

  private final Prices prices;
  private final MonthlyLoad load;
  private final double requests;
  private final double entities;
  private final double regions;
  private final double buckets;
  private final List<CostItem> items = new ArrayList<>();

  private Calculator(Prices prices, MonthlyLoad load) {
    this.prices = prices;
    this.load = load;
    this.requests = load.get(LoadNumber.REQUESTS);
    this.entities = load.get(LoadNumber.ENTITIES);
    this.regions = load.get(LoadNumber.REGIONS);
    this.buckets = entities * regions * load.get(LoadNumber.SHARDS);
  }

  /** The bill of a month. */
  public static Bill bill(Prices prices, MonthlyLoad load) {
    Calculator calculator = new Calculator(prices, load);
    double bucketWrites = calculator.limiter();
    double usageWrites = calculator.usage(bucketWrites);
    calculator.storage(usageWrites);
    calculator.regions();
    return new Bill(calculator.items, calculator.requests);
  }

  /** Adds the reads and writes of limiters; the number of records in the stream. */
  private double limiter() {
    double itemUnits = CountedUnits.writeUnits(itemBytes());
    double perBucket = load.transactional() ? CountedUnits.TRANSACTION : 1;
    double admitted = requests * (1 - load.get(LoadNumber.REFUSED));
    double legs = load.get(LoadNumber.CASCADE) + 1.0;
    double acquires = admitted * legs / load.get(LoadNumber.GROUPING);
    double settlements =
        admitted * load.get(LoadNumber.SETTLED) * legs / load.get(LoadNumber.GROUPING);
    double unit = CountedUnits.WRITE * itemUnits;
    write("acquires", acquires * unit * perBucket);
    write("settlements", settlements * unit);
    write("new buckets, with their indexes", buckets * CountedUnits.INDEX_WRITES_AT_CREATION);
    read(
        "first looks at buckets",
        buckets * load.get(LoadNumber.PROCESSES) * CountedUnits.FIRST_LOOK);
    read("refusals", requests * load.get(LoadNumber.REFUSED) * CountedUnits.OLD_REFUSAL);
    double lookUps =
        Math.min(requests, entities * regions * load.get(LoadNumber.PROCESSES) * MONTH_MINUTES);
    read(
        "look-ups of what is stored, at most",
        lookUps * CountedUnits.LOOKED_UP * CountedUnits.LOOK_UP);
    return acquires + settlements;
  }

  private double usage(double records) {
    if (load.aggregator() == AggregatorKind.NONE) {
      return 0;
    }
    double inWindows = regions * MONTH_SECONDS / load.get(LoadNumber.BATCH_WINDOW);
    double batches = Math.max(records / BATCH, Math.min(records, inWindows));
    double writes =
        Math.min(
            records / 1_000 * CountedUnits.usageWrites(records / batches),
            batches * CountedUnits.WINDOWS * entities);
    write("usage", writes);
    if (load.aggregator() == AggregatorKind.WORKER) {
      double polls = regions * MONTH_SECONDS * POLLS_PER_SECOND;
      add("stream", "reads of the stream, one shard", polls, "reads", "streamReadsPerMillion");
      return writes;
    }
    add("stream", "reads of the stream by a function", 0, "reads", "streamReadsPerMillion");
    add("lambda", "batches", batches, "requests", "lambdaRequestsPerMillion");
    double seconds = batches * BATCH_OVERHEAD_SECONDS + writes * WRITE_SECONDS;
    addUnits("lambda", "aggregator", seconds * FUNCTION_GB, "GB-s", "lambdaGbSecond");
    return writes;
  }

  private void storage(double usageWrites) {
    double bucketBytes =
        itemBytes() + ITEM_OVERHEAD + BUCKET_INDEXES * (INDEX_ENTRY + ITEM_OVERHEAD);
    // Hours are kept for a month, days for thirteen, months for ten years.
    double active = Math.max(1, requests / entities / regions);
    double kept = Math.min(720, active) + Math.min(30, active) * 13 + 120;
    double usageItems = usageWrites == 0 ? 0 : entities * regions * kept;
    double usageBytes = USAGE_ITEM + ITEM_OVERHEAD + INDEX_ENTRY + ITEM_OVERHEAD;
    double gb = (buckets * bucketBytes + usageItems * usageBytes) / GB;
    double recoveryGb = (buckets * itemBytes() + usageItems * USAGE_ITEM) / GB;
    addUnits("storage", "items and indexes", gb, "GB", "storageGbMonth");
    addUnits("storage", "point-in-time recovery", recoveryGb, "GB", "recoveryGbMonth");
  }

  private void regions() {
    if (regions == 1) {
      return;
    }
    double windows = MONTH_SECONDS / load.get(LoadNumber.WINDOW);
    double all = windows * regions;
    double peers = regions - 1.0;
    read(
        "shares of other regions",
        all * load.get(LoadNumber.SHARED_PAIRS) * CountedUnits.SYNC_READS);
    add("s3", "snapshots written", all, "requests", "s3PutPerMillion");
    add("s3", "snapshots read", all * peers, "requests", "s3GetPerMillion");
    double gb = all * peers * load.get(LoadNumber.SHARED_PAIRS) * CountedUnits.SNAPSHOT_BYTES / GB;
    addUnits("s3", "snapshots between regions", gb, "GB", "transferGb");
  }

  private double itemBytes() {
    return CountedUnits.itemBytes(
        NAMESPACE_LENGTH,
        ENTITY_AND_RESOURCE_LENGTH,
        load.get(LoadNumber.LIMITS),
        LIMIT_NAME_LENGTH);
  }

  private void write(String what, double units) {
    add("writes", what, units, "write units", "writeUnitsPerMillion");
  }

  private void read(String what, double units) {
    add("reads", what, units, "read units", "readUnitsPerMillion");
  }

  private void add(String group, String what, double amount, String unit, String perMillion) {
    double dollars = amount / MILLION * prices.price(perMillion);
    items.add(new CostItem(group, what, amount, unit, dollars));
  }

  private void addUnits(String group, String what, double amount, String unit, String perUnit) {
    items.add(new CostItem(group, what, amount, unit, amount * prices.price(perUnit)));
  }
}
