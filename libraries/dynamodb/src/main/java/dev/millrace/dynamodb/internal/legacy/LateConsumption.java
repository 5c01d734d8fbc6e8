package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.dynamodb.internal.item.ItemReader;
import dev.millrace.dynamodb.internal.schema.OldAttributes;
import java.util.Map;
import java.util.TreeMap;

/**
 * The consumption of old clients on a bucket after it was carried over: the growth of its counters
 * since. An old client that had a lease then settles on the old item, whatever its balance.
 */
final class LateConsumption {
  private LateConsumption() {}

  /**
   * By limit, in millitokens, less than zero for what was given back; only limits for which it is
   * not nothing.
   */
  static Map<String, Long> milli(OldItems moved) {
    ItemReader base = OldItems.reader(moved.requireComposite());
    Map<String, Long> late = new TreeMap<>();
    moved
        .counters()
        .forEach(
            (limit, counter) ->
                add(late, limit, counter, base.number(OldAttributes.movedOfComposite(limit), 0)));
    moved
        .ownCounters()
        .forEach(
            (limit, counter) ->
                add(late, limit, counter, base.number(OldAttributes.movedOfOwnItem(limit), 0)));
    late.values().removeIf(milli -> milli == 0);
    return late;
  }

  private static void add(Map<String, Long> late, String limit, long counter, long base) {
    late.merge(limit, SaturatedMath.subtract(counter, base), SaturatedMath::add);
  }
}
