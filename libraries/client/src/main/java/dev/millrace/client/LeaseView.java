package dev.millrace.client;

import dev.millrace.core.decision.LimitStatus;
import java.util.List;

/** What blocking and asynchronous leases have in common: all that needs no round trip. */
public interface LeaseView {
  /** Who holds it. */
  String entityId();

  /** What it is for; the first, when it is for several resources. */
  String resource();

  /** What has become of it. */
  LeaseState state();

  /**
   * Whether it was granted without a charge, or without a part of it, because the store could not
   * be reached. What was not charged is not written later either.
   */
  boolean isDegraded();

  /**
   * Whether its end, or a part of it, was not written yet when it ended: it was deferred, or the
   * store did not take it. The limiter writes it later, and tells its listeners if it cannot.
   */
  boolean isPostponed();

  /** The soft limits that were short when it was granted, as they stood then. */
  List<LimitStatus> overdrawn();

  /** Whole tokens of {@code limit} that it stands for, adjustments included. */
  default long consumed(String limit) {
    return consumed(resource(), limit);
  }

  /** The same for one of several resources. */
  long consumed(String resource, String limit);

  /**
   * Corrects what was consumed of {@code limit} by {@code delta} tokens, up or down, for the entity
   * and for every ancestor that it draws on and that has the limit, whether the request named the
   * limit or not. Never refused: the balance may go below zero, and credit pays the debt first.
   * Written when the lease ends.
   *
   * @throws IllegalArgumentException if the lease would stand for less than nothing, or if neither
   *     the entity nor an ancestor has the limit
   */
  default void adjust(String limit, long delta) {
    adjust(resource(), limit, delta);
  }

  /**
   * The same for one of several resources. A resource beside the first need not have the limit:
   * without it any adjustment, up or down, does nothing.
   */
  void adjust(String resource, String limit, long delta);

  /** Gives back {@code amount} tokens of {@code limit}, at most what the lease stands for. */
  default void release(String limit, long amount) {
    release(resource(), limit, amount);
  }

  /** The same for one of several resources. */
  void release(String resource, String limit, long amount);

  /**
   * Opens a lease again that has ended, so that a cost can be adjusted and settled that became
   * known only afterwards. What was written stays written: one that was taken back stands for
   * nothing until it is adjusted. Does nothing for an open lease.
   *
   * @throws IllegalStateException if its end is being written, or could not be
   */
  void reopen();
}
