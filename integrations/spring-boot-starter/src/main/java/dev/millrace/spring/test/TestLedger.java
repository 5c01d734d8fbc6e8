package dev.millrace.spring.test;

import dev.millrace.testkit.InMemoryStore;

/** The charged amounts, for tests: read from the buckets themselves. */
public final class TestLedger {
  private final InMemoryStore store;
  private final String namespace;

  /** The ledger of {@code namespace}, whose id is its name. */
  public TestLedger(InMemoryStore store, String namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  /**
   * Whole tokens of {@code limit} that {@code entity} has consumed of {@code resource} since the
   * bucket began, less refunds; 0 when there is no bucket. Buckets of tests are not busy enough to
   * be divided.
   */
  public long consumed(String entity, String resource, String limit) {
    return store.consumed(namespace, entity, resource, limit);
  }
}
