package dev.millrace.manifest;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.manifest.internal.ManifestApplier;
import dev.millrace.manifest.internal.ManifestChange;
import dev.millrace.manifest.internal.ManifestOutline;
import dev.millrace.manifest.internal.ManifestPlanner;
import dev.millrace.manifest.internal.ManifestReader;
import dev.millrace.manifest.internal.SpecSource;
import dev.millrace.testkit.InMemoryStore;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A store in memory that counts its writes and can die, and an administration of it. */
public final class World {
  public final InMemoryStore memory = new InMemoryStore();

  /** How many calls wrote anything. */
  public final AtomicLong writes = new AtomicLong();

  /** Most things that were in one answer. */
  public final AtomicInteger largest = new AtomicInteger();

  /** After so many writes the process dies: nothing gets through any more. */
  public final AtomicLong writesToLive = new AtomicLong(Long.MAX_VALUE);

  private final BlockingStore store = this::execute;
  public final NamespaceAdmin ns =
      Admin.of(store, AdminOptions.builder("tester").maxWritesPerSecond(1_000_000).build())
          .in("default");

  /** What dies with the process. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private StoreReply execute(StoreCall call, long timeoutMs) {
    if (call.writes()) {
      if (writesToLive.decrementAndGet() < 0) {
        throw new Killed();
      }
      writes.incrementAndGet();
    } else if (writesToLive.get() < 0) {
      throw new Killed();
    }
    StoreReply reply = memory.execute(call, timeoutMs);
    if (reply instanceof StoreReply.Page page) {
      largest.accumulateAndGet(page.entries().size(), Math::max);
    } else if (reply instanceof StoreReply.Records records) {
      largest.accumulateAndGet(records.records().size(), Math::max);
    }
    return reply;
  }

  /** A manifest that is a text. */
  public static SpecSource source(String yaml) {
    return sink -> ManifestReader.read(new StringReader(yaml), sink);
  }

  public NamespaceManifest.Result apply(String yaml) {
    return apply(source(yaml));
  }

  public NamespaceManifest.Result apply(SpecSource source) {
    ManifestOutline outline = ManifestOutline.of(source);
    return ManifestApplier.of(ns, outline, outline.header().name(), 4, counts -> {});
  }

  /** The lines of a plan. */
  public List<String> plan(String yaml) {
    return plan(source(yaml)).stream().map(ManifestChange::toString).toList();
  }

  public List<ManifestChange> plan(SpecSource source) {
    List<ManifestChange> changes = new ArrayList<>();
    ManifestOutline outline = ManifestOutline.of(source);
    ManifestPlanner.of(ns, outline, outline.header().name(), null, changes::add);
    return changes;
  }

  /** The actions of the newest audit events. */
  public List<String> audited() {
    return ns.audit().all(AuditQuery.newest(100)).items().stream()
        .map(event -> event.actor() + " " + event.action())
        .toList();
  }
}
