package dev.millrace.simulator.oracle;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.simulator.oracle.TableWrite.Source;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A write that left a bucket behind, and what all of its limits have in common. */
final class Change {
  /** A writer's now is whole milliseconds, and it may send in the next one. */
  static final long ROUNDING_MS = 2;

  private static final long MICROS = 1_000;

  final TableWrite write;
  final @Nullable BucketState before;
  final BucketState after;
  final long fromMs;
  final long toMs;
  final OracleSettings settings;

  /** What the shard has of each limit; before the write, where that changes it. */
  final Rest rest;

  /** Whether the write may have been planned for another bucket with the same lock. */
  final boolean lockRepeated;

  Change(
      TableWrite write,
      @Nullable BucketState before,
      BucketState after,
      OracleSettings settings,
      boolean lockRepeated) {
    this.write = write;
    this.before = before;
    this.after = after;
    this.fromMs = before == null ? after.refilledAtMs() : before.refilledAtMs();
    this.toMs = after.refilledAtMs();
    this.settings = settings;
    this.rest = Rest.of(before == null ? after : before);
    this.lockRepeated = lockRepeated;
  }

  boolean byOperator() {
    return write.source() == Source.OPERATOR;
  }

  /** Whether the timestamp, and with it the lock, moved. */
  boolean moves() {
    return toMs != fromMs;
  }

  /** Whether a wild timestamp was taken back. */
  boolean heals() {
    return toMs < fromMs;
  }

  boolean changesStamp() {
    return before != null && !before.stamp().equals(after.stamp());
  }

  /** Most that may be charged without a check. */
  long uncheckedMilli(String limit) {
    return write.uncheckedMilli().isEmpty() ? 0 : write.uncheckedMilli().getOrDefault(limit, 0L);
  }

  /** Most that may be given back, where nobody says: all that was ever charged. */
  long givenBackMilli(String limit, long chargedMilli) {
    Map<String, Long> told = write.givenBackMilli();
    if (told == null) {
      return Math.max(0, chargedMilli + uncheckedMilli(limit));
    }
    return told.isEmpty() ? 0 : told.getOrDefault(limit, 0L);
  }

  /** By how much the timestamp is ahead of true time after the write. */
  long claimAheadMicros() {
    return toMs * MICROS - write.atMicros();
  }

  /**
   * By how much the writer was ahead of true time when the write arrived. One that may have been
   * sent for the second time was planned before it was sent, but not before the claim it accepted.
   */
  long writerAheadMicros() {
    long plannedMs = write.writerMs();
    if (moves()) {
      plannedMs = Math.min(plannedMs, toMs);
    } else if (!write.alone()) {
      long resentMs = plannedMs - settings.resendMs();
      plannedMs = Math.min(plannedMs, Math.max(resentMs, toMs + settings.windowMs()));
    }
    return plannedMs * MICROS - write.atMicros();
  }

  Violation broken(Promise promise, String what) {
    return new Violation(
        promise,
        what
            + "; written by "
            + write.writer()
            + " ("
            + write.source()
            + ") at "
            + write.atMicros()
            + " us, its time "
            + write.writerMs()
            + " ms, unchecked "
            + write.uncheckedMilli()
            + ", given back "
            + write.givenBackMilli()
            + (write.alone() ? "" : ", perhaps jointly")
            + "\n  before "
            + before
            + "\n  after  "
            + after);
  }

  /** Whether a stamp tells of an earlier version of any record than {@code other}. */
  static boolean isOlderInOne(ConfigStamp stamp, ConfigStamp other) {
    RecordVersions versions = stamp.versions();
    RecordVersions others = other.versions();
    return versions.entity() < others.entity()
        || versions.entityResource() < others.entityResource()
        || versions.entityDefault() < others.entityDefault()
        || versions.resource() < others.resource()
        || versions.system() < others.system();
  }
}
