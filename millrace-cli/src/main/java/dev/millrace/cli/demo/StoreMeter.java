package dev.millrace.cli.demo;

import dev.millrace.client.LimiterListener;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Hears every round trip and adds up what it cost. */
final class StoreMeter implements LimiterListener {
  private final List<String> calls = new ArrayList<>();
  private Units units = Units.NONE;
  private @Nullable BucketState written;
  private long lastCallNanos = System.nanoTime();

  /**
   * What happened since the last reading.
   *
   * @param calls the kinds of the calls, in their order
   * @param units what they cost
   * @param written the bucket after the last write, null when there was none
   */
  record Reading(List<String> calls, Units units, @Nullable BucketState written) {
    Reading {
      calls = List.copyOf(calls);
    }
  }

  /** The look-up of stored configuration, once a minute, is no part of what a step shows. */
  @Override
  public synchronized void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
    if (call instanceof StoreCall.Lookup) {
      return;
    }
    calls.add(kind(call));
    units = units.plus(reply.receipt());
    lastCallNanos = System.nanoTime();
    if (reply instanceof StoreReply.Applied applied) {
      written = applied.state();
    }
  }

  /** What happened since the last call of this. */
  synchronized Reading take() {
    Reading reading = new Reading(calls, units, written);
    calls.clear();
    units = Units.NONE;
    written = null;
    return reading;
  }

  /** When the last reply came in. */
  synchronized long lastCallNanos() {
    return lastCallNanos;
  }

  private static String kind(StoreCall call) {
    Object named = call instanceof StoreCall.Write write ? write.plan() : call;
    return named.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
