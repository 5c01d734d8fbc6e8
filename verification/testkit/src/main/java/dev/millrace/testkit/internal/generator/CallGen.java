package dev.millrace.testkit.internal.generator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.internal.contract.ContractRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Random calls within one namespace, about a few buckets and records that come up again and again,
 * made for what a model says is there.
 */
public final class CallGen {
  private static final int OTHER_SHARD = 2;
  private static final int RECORDS = 6;
  private static final int MAX_PLANS = 2;
  private static final int MAX_CHANGES = 3;

  private final RandomGenerator random;
  private final InMemoryStore model;
  private final String namespace;
  private final List<BucketKey> buckets = new ArrayList<>();
  private final List<RecordKey> records = new ArrayList<>();
  private final Map<BucketKey, List<BucketState>> histories = new HashMap<>();
  private final List<StoreCall> transactions = new ArrayList<>();

  public CallGen(RandomGenerator random, String namespace, InMemoryStore model) {
    this.random = random;
    this.model = model;
    this.namespace = namespace;
    BucketKey first = first(random, namespace);
    buckets.add(first);
    buckets.add(first.withShard(1));
    buckets.add(first(random, namespace).withShard(OTHER_SHARD));
    while (records.size() < RECORDS) {
      RecordKey key = RecordGen.key(random, namespace);
      if (!records.contains(key)) {
        records.add(key);
      }
    }
  }

  private static BucketKey first(RandomGenerator random, String namespace) {
    return BucketKey.first(namespace, RecordGen.entityId(random), RecordGen.resource(random));
  }

  /** The next call, whose writes carry {@code op}. */
  public StoreCall next(String op) {
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> new StoreCall.Write(plan(Gen.oneOf(random, buckets), op));
      case 3 -> new StoreCall.ReadAll(buckets);
      case 4 -> new StoreCall.Lookup(records, /* consistent= */ true);
      case 5 -> new StoreCall.Erase(List.of(Gen.oneOf(random, buckets)), List.of());
      case 6 -> transactions.isEmpty() ? transaction(op) : Gen.oneOf(random, transactions);
      case 7, 8 -> regrouping(op);
      default -> transaction(op);
    };
  }

  /** A split or a merge of the first bucket's shards, as far as they can be. */
  private StoreCall regrouping(String op) {
    BucketState parent = model.snapshot(buckets.get(0));
    BucketState child = model.snapshot(buckets.get(1));
    if (parent == null) {
      return transaction(op);
    }
    List<WritePlan> plans =
        child == null || Gen.oneIn(random, 4)
            ? ShardGen.split(seen(parent), () -> op)
            : ShardGen.merge(random, seen(parent), seen(child), () -> op);
    return plans == null
        ? transaction(op)
        : remembered(new StoreCall.Transaction(plans, List.of(), ContractRecords.newToken()));
  }

  /** The bucket as it is, or now and then as it was. */
  private BucketState seen(BucketState present) {
    List<BucketState> history = histories.getOrDefault(present.key(), List.of());
    return history.isEmpty() || !Gen.oneIn(random, 4) ? present : Gen.oneOf(random, history);
  }

  private StoreCall transaction(String op) {
    List<WritePlan> plans = new ArrayList<>();
    for (BucketKey key : some(buckets, random.nextInt(MAX_PLANS + 1))) {
      plans.add(key.shard() != 0 && Gen.oneIn(random, 4) ? remove(key, op) : plan(key, op));
    }
    List<RecordChange> changes = new ArrayList<>();
    for (RecordKey key : some(records, random.nextInt(MAX_CHANGES) + (plans.isEmpty() ? 1 : 0))) {
      changes.add(RecordGen.change(random, key, model.record(key)));
    }
    return remembered(new StoreCall.Transaction(plans, changes, ContractRecords.newToken()));
  }

  private StoreCall remembered(StoreCall.Transaction transaction) {
    transactions.add(transaction);
    return transaction;
  }

  /** Takes a shard away, as it is or as it was or as it never was. */
  private WritePlan remove(BucketKey key, String op) {
    BucketState present = model.snapshot(key);
    String expected = present == null || Gen.oneIn(random, 8) ? "never" : seen(present).op();
    return new WritePlan.Remove(key, expected, op);
  }

  private WritePlan plan(BucketKey key, String op) {
    List<BucketState> history = histories.computeIfAbsent(key, unseen -> new ArrayList<>());
    BucketState present = model.snapshot(key);
    if (present == null) {
      history.clear();
    } else {
      history.remove(present);
      history.add(present);
    }
    return PlanGen.plan(random, key, history, op);
  }

  /** Some of them, each once. */
  private <T> List<T> some(List<T> all, int count) {
    List<T> left = new ArrayList<>(all);
    List<T> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(left.remove(random.nextInt(left.size())));
    }
    return some;
  }

  /** Every listing in which one of the buckets or records can be. */
  public List<Listing> listings() {
    List<Listing> listings = new ArrayList<>();
    listings.add(new Listing.Roots(namespace));
    listings.add(new Listing.DefaultedEntities(namespace));
    listings.add(new Listing.ResourceConfigs(namespace));
    listings.add(new Listing.AuditOfNamespace(namespace, "", ""));
    listings.add(new Listing.Jobs(namespace));
    for (BucketKey key : buckets) {
      listings.add(new Listing.BucketsOfEntity(namespace, key.entityId()));
      listings.add(new Listing.BucketsOfResource(namespace, key.resource()));
      listings.add(new Listing.ConfiguredEntities(namespace, key.resource()));
      listings.add(new Listing.ConfigsOfEntity(namespace, key.entityId()));
      listings.add(new Listing.Children(namespace, key.entityId()));
    }
    for (RecordKey key : records) {
      if (key instanceof RecordKey.Audit audit) {
        listings.add(new Listing.AuditOfSubject(namespace, audit.subject(), "", ""));
      }
    }
    return listings.stream().distinct().toList();
  }
}
