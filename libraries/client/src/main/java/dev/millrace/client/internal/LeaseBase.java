package dev.millrace.client.internal;

import dev.millrace.client.LeaseState;
import dev.millrace.client.LeaseView;
import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.limit.Limit;
import java.util.List;

/** What a lease can do without a round trip. */
abstract class LeaseBase implements LeaseView {
  final LeaseLedger ledger;

  LeaseBase(LeaseLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public String entityId() {
    return ledger.key().entityId();
  }

  @Override
  public String resource() {
    return ledger.key().resource();
  }

  @Override
  public LeaseState state() {
    return ledger.state();
  }

  @Override
  public boolean isDegraded() {
    return ledger.isDegraded();
  }

  @Override
  public boolean isPostponed() {
    return ledger.isPostponed();
  }

  @Override
  public List<LimitStatus> overdrawn() {
    return ledger.overdrawn();
  }

  @Override
  public long consumed(String resource, String limit) {
    return ledger.consumedMilli(resource, limit) / Limit.MILLI;
  }

  @Override
  public void adjust(String resource, String limit, long delta) {
    ledger.adjust(resource, limit, delta);
  }

  @Override
  public void release(String resource, String limit, long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': released amount " + amount + " must not be negative");
    }
    ledger.adjust(resource, limit, -amount);
  }

  @Override
  public void reopen() {
    ledger.reopenEnded();
  }

  @Override
  public String toString() {
    return "Lease[" + ledger.key() + " " + state() + (isDegraded() ? " degraded]" : "]");
  }
}
