package dev.millrace.client.internal.resolve;

import dev.millrace.BucketKey;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.internal.resolution.ResolvedConfig;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records about one bucket: puts together what holds for it, and how old that is. */
public final class KnownRecords {
  /** How long old records are used before the store is tried again that did not answer. */
  public static final long STALE_MS = 1_000;

  private final int generation;
  private final Map<RecordKey, @Nullable StoredRecord> found = new HashMap<>();
  private boolean complete = true;
  private boolean stale;
  private boolean sure = true;
  private long readAtMs = Long.MAX_VALUE;
  private long look = Long.MAX_VALUE;

  public KnownRecords(int generation) {
    this.generation = generation;
  }

  /**
   * Adds a record.
   *
   * @param held null when it is not known whether there is one
   * @param old whether it would be too old, had the store answered
   */
  public void add(RecordKey key, RecordCache.@Nullable Held held, boolean old) {
    if (held == null) {
      complete = false;
      return;
    }
    found.put(key, held.record());
    stale |= old;
    sure &= held.look().consistent() && !old;
    readAtMs = Math.min(readAtMs, held.readAtMs());
    look = Math.min(look, held.look().number());
  }

  public boolean isComplete() {
    return complete;
  }

  /**
   * What holds.
   *
   * @param tableUntilMs until when the namespace is believed to be in use
   */
  public CachedConfig known(BucketKey key, long configAgeMs, long tableUntilMs, long nowMs) {
    ConfigRecords levels =
        ConfigRecords.of(key.namespace(), key.entityId(), key.resource(), found::get);
    ResolvedConfig resolved = levels.resolve();
    String parentId = resolved.drawsOn();
    long untilMs =
        stale ? nowMs + STALE_MS : readAtMs + CachedConfig.maxAgeMs(resolved, configAgeMs);
    return new CachedConfig(
        resolved,
        parentId == null ? null : BucketKey.first(key.namespace(), parentId, key.resource()),
        resolved.terms(null),
        levels.system() == null ? null : levels.system().onUnavailable(),
        new CachedConfig.Age(readAtMs, look, sure, Math.min(untilMs, tableUntilMs), generation));
  }
}
