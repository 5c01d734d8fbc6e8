package dev.millrace.admin;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Fault;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Answers that leave shards out, as those of a store do that looks at one item after the other. */
final class HiddenShards {
  private HiddenShards() {}

  /** A read of many buckets at which this one was looked for before it was made. */
  static Fault bucket(BucketKey key) {
    return (call, proceed) ->
        proceed
            .get()
            .thenApply(
                reply -> {
                  StoreReply.FoundAll found = (StoreReply.FoundAll) reply;
                  Map<BucketKey, BucketState> states = new HashMap<>(found.states());
                  states.remove(key);
                  return new StoreReply.FoundAll(states, found.receipt());
                });
  }

  /** A page of an index that does not show buckets yet. */
  static Fault inTheIndex(Predicate<BucketKey> buckets) {
    return (call, proceed) ->
        proceed
            .get()
            .thenApply(
                reply -> {
                  StoreReply.Page page = (StoreReply.Page) reply;
                  List<ListEntry> shown =
                      page.entries().stream()
                          .filter(
                              entry ->
                                  !(entry instanceof ListEntry.Bucket bucket
                                      && buckets.test(bucket.key())))
                          .toList();
                  return new StoreReply.Page(shown, page.cursor(), page.receipt());
                });
  }

  /** Reads that ask for this bucket. */
  static Predicate<StoreCall> readsOf(BucketKey key) {
    return call -> call instanceof StoreCall.ReadAll read && read.keys().contains(key);
  }
}
