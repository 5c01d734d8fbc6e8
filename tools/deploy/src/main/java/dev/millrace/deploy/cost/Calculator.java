package dev.millrace.deploy.cost;

import dev.millrace.deploy.cost.Load.Counting;
import java.util.ArrayList;
import java.util.List;

/**
 * From a load to its bill. Where traffic decides, the dearer case is taken: every entity is looked
 * up by every process in every minute, as far as there are requests to do so.
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

  /** How long DynamoDB takes for a write of usage; the function makes one after the other. */
  private static final double WRITE_SECONDS = 0.004;

  /** A worker reads each shard of the stream so often. */
  private static final double POLLS_PER_SECOND = 4;

  private final Prices prices;
  private final Load load;
  private final List<CostItem> items = new ArrayList<>();

  private Calculator(Prices prices, Load load) {
    this.prices = prices;
    this.load = load;
  }

  /** The bill of a month. */
  public static Bill bill(Prices prices, Load load) {
    Calculator calculator = new Calculator(prices, load);
    double bucketWrites = calculator.limiter();
    double usageWrites = calculator.usage(bucketWrites);
    calculator.storage(usageWrites);
    calculator.regions();
    return new Bill(calculator.items, load.requests());
  }

  /** What limiters read and write; the writes of buckets, each a record of the stream. */
  private double limiter() {
    double itemUnits = CountedUnits.writeUnits(itemBytes());
    double perBucket = load.transactional() ? CountedUnits.TRANSACTION : 1;
    double admitted = load.requests() * (1 - load.refused());
    double legs = load.ancestors() + 1.0;
    double acquires = admitted * legs / load.grouping();
    double settlements = admitted * load.settled() * legs / load.grouping();
    double unit = CountedUnits.WRITE * itemUnits;
    write("acquires", acquires * unit * perBucket);
    write("settlements", settlements * unit);
    double buckets = load.entities() * load.regions() * load.shards();
    write("new buckets, with their indexes", buckets * CountedUnits.INDEX_WRITES_AT_CREATION);
    read("first looks at buckets", buckets * load.processes() * CountedUnits.FIRST_LOOK);
    read("refusals", load.requests() * load.refused() * CountedUnits.OLD_REFUSAL);
    double lookUps =
        Math.min(
            load.requests(), load.entities() * load.regions() * load.processes() * MONTH_MINUTES);
    read(
        "look-ups of what is stored, at most",
        lookUps * CountedUnits.LOOKED_UP * CountedUnits.LOOK_UP);
    return acquires + settlements;
  }

  private double usage(double records) {
    if (load.aggregator() == Counting.NONE) {
      return 0;
    }
    double inWindows = load.regions() * MONTH_SECONDS / load.batchSeconds();
    double batches = Math.max(records / BATCH, Math.min(records, inWindows));
    double writes =
        Math.min(
            records / 1_000 * CountedUnits.usageWrites(records / batches),
            batches * CountedUnits.WINDOWS * load.entities());
    write("usage", writes);
    if (load.aggregator() == Counting.WORKER) {
      double polls = load.regions() * MONTH_SECONDS * POLLS_PER_SECOND;
      add("stream", "reads of the stream, one shard", polls, "reads", "streamReadsPerMillion");
      return writes;
    }
    add("stream", "reads of the stream by a function", 0, "reads", "streamReadsPerMillion");
    add("lambda", "batches", batches, "requests", "lambdaRequestsPerMillion");
    double seconds = batches * BATCH_OVERHEAD_SECONDS + writes * WRITE_SECONDS;
    gigabyteSeconds("aggregator", seconds * FUNCTION_GB);
    return writes;
  }

  private void storage(double usageWrites) {
    double buckets = load.entities() * load.regions() * load.shards();
    double bucketBytes =
        itemBytes() + ITEM_OVERHEAD + BUCKET_INDEXES * (INDEX_ENTRY + ITEM_OVERHEAD);
    // Hours are kept for a month, days for thirteen, months for ten years.
    double active = Math.max(1, load.requests() / load.entities() / load.regions());
    double kept = Math.min(720, active) + Math.min(30, active) * 13 + 120;
    double usageItems = usageWrites == 0 ? 0 : load.entities() * load.regions() * kept;
    double usageBytes = USAGE_ITEM + ITEM_OVERHEAD + INDEX_ENTRY + ITEM_OVERHEAD;
    double gb = (buckets * bucketBytes + usageItems * usageBytes) / GB;
    double recoveryGb = (buckets * itemBytes() + usageItems * USAGE_ITEM) / GB;
    items.add(new CostItem("storage", "items and indexes", gb, "GB", gb * price("storageGbMonth")));
    items.add(
        new CostItem(
            "storage",
            "point-in-time recovery",
            recoveryGb,
            "GB",
            recoveryGb * price("recoveryGbMonth")));
  }

  private void regions() {
    if (load.regions() == 1) {
      return;
    }
    double windows = MONTH_SECONDS / load.windowSeconds();
    double all = windows * load.regions();
    double peers = load.regions() - 1.0;
    read("shares of other regions", all * load.sharedPairs() * CountedUnits.SYNC_READS);
    add("s3", "snapshots written", all, "requests", "s3PutPerMillion");
    add("s3", "snapshots read", all * peers, "requests", "s3GetPerMillion");
    double gb = all * peers * load.sharedPairs() * CountedUnits.SNAPSHOT_BYTES / GB;
    items.add(new CostItem("s3", "snapshots between regions", gb, "GB", gb * price("transferGb")));
  }

  private double itemBytes() {
    return CountedUnits.itemBytes(
        NAMESPACE_LENGTH, ENTITY_AND_RESOURCE_LENGTH, load.limits(), LIMIT_NAME_LENGTH);
  }

  private void write(String what, double units) {
    add("writes", what, units, "write units", "writeUnitsPerMillion");
  }

  private void read(String what, double units) {
    add("reads", what, units, "read units", "readUnitsPerMillion");
  }

  private void add(String group, String what, double amount, String unit, String perMillion) {
    items.add(new CostItem(group, what, amount, unit, amount / MILLION * price(perMillion)));
  }

  private void gigabyteSeconds(String what, double amount) {
    items.add(new CostItem("lambda", what, amount, "GB-s", amount * price("lambdaGbSecond")));
  }

  private double price(String name) {
    return prices.price(name);
  }
}
