package dev.millrace.client.internal.resolve;

import dev.millrace.LimiterOptions;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of the namespace, as a part of a resolution, and checks that it and the table may be
 * used.
 */
public final class TableLookUp {
  private final LimiterOptions options;
  private final RequestResolver resolver;
  private final LookUpAnswers findings;
  private long untilMs = Long.MAX_VALUE;

  public TableLookUp(LimiterOptions options, RequestResolver resolver, LookUpAnswers findings) {
    this.options = options;
    this.resolver = resolver;
    this.findings = findings;
  }

  /** Until when what {@link #namespace} found is believed. */
  public long untilMs() {
    return untilMs;
  }

  /** The id of the namespace, or null when it must be found first. */
  public @Nullable String namespace(Set<RecordKey> missing) {
    untilMs = Long.MAX_VALUE;
    RecordCache.Held unused = check(new RecordKey.Schema(), missing);
    String id = resolver.namespaceId();
    if (id == null) {
      return byName(missing);
    }
    RecordCache.Held held = check(new RecordKey.NamespaceById(id), missing);
    boolean gone = held != null && held.record() == null;
    // Removed for good: its name may stand for another one by now.
    return gone && options.knownNamespaceId() == null ? byName(missing) : id;
  }

  private @Nullable String byName(Set<RecordKey> missing) {
    RecordKey key = new RecordKey.NamespaceByName(options.namespace());
    if (resolver.namespaceId() != null && !findings.isRead(key)) {
      missing.add(key); // what is remembered of it has led to one that is gone
      return null;
    }
    RecordCache.Held held = check(key, missing);
    if (held != null && held.record() instanceof NamespaceRecord namespace) {
      resolver.namespaceId(namespace.id());
      return namespace.id();
    }
    return null;
  }

  /** A record about the table or the namespace, which must not refuse; null when it is missing. */
  private RecordCache.@Nullable Held check(RecordKey key, Set<RecordKey> missing) {
    RecordCache.Held held = findings.find(key, missing);
    if (held != null) {
      TableChecks.check(options, key, held.record());
      long heldUntilMs =
          findings.isStale(key)
              ? options.time().elapsedMs() + KnownRecords.STALE_MS
              : held.readAtMs() + options.configAge().toMillis();
      untilMs = Math.min(untilMs, heldUntilMs);
    }
    return held;
  }
}
