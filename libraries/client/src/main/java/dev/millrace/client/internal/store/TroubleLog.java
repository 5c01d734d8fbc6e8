package dev.millrace.client.internal.store;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.CloseReport;
import dev.millrace.LimiterListener;
import dev.millrace.OnUnavailable;
import dev.millrace.TimeSource;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes to the log what an operator must know: the store is away, a clock is wrong, a settlement
 * was lost. While a trouble lasts it says so once in a while, not once a request.
 */
public final class TroubleLog implements LimiterListener {
  private static final System.Logger LOG = System.getLogger("dev.millrace");

  /** Least time between two lines about the same trouble. */
  public static final long QUIET_MS = 10_000;

  private final TimeSource time;
  private final AtomicLong unavailableLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong awayLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong backLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong healedLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong unsettledLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong postponedLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong setBackLoggedAtMs = new AtomicLong(Long.MIN_VALUE);

  public TroubleLog(TimeSource time) {
    this.time = time;
  }

  @Override
  public void onUnavailable(BucketKey key, StoreFailure failure, OnUnavailable policy) {
    if (mayLog(unavailableLoggedAtMs)) {
      String consequence =
          policy == OnUnavailable.ALLOW
              ? "requests are admitted without a charge"
              : "requests are refused";
      LOG.log(
          System.Logger.Level.WARNING,
          "the store does not answer (" + failure.kind() + "): " + consequence + "; " + key,
          failure.cause());
    }
  }

  @Override
  public void onStoreAway(StoreFailure failure) {
    if (mayLog(awayLoggedAtMs)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the store cannot be reached ("
              + failure.kind()
              + "): calls fail at once until it is back; "
              + failure.todo(),
          failure.cause());
    }
  }

  @Override
  public void onStoreBack(long awayMs) {
    if (mayLog(backLoggedAtMs)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the store answers again after {0} ms",
          Long.toString(awayMs));
    }
  }

  @Override
  public void onRefillHealed(BucketKey key, long aheadMs) {
    if (mayLog(healedLoggedAtMs)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a writer''s clock was {0} ms ahead: refill of {1} set to now; check the hosts'' clocks",
          Long.toString(aheadMs),
          key);
    }
  }

  @Override
  public void onConfigSetBack(BucketKey key, RecordVersions bucket, RecordVersions stored) {
    if (mayLog(setBackLoggedAtMs)) {
      LOG.log(
          System.Logger.Level.ERROR,
          "what is stored about {0} ({1}) is older than what its bucket follows ({2}): requests are"
              + " refused; was the table restored, or a record deleted?",
          key,
          stored,
          bucket);
    }
  }

  @Override
  public void onClockCorrected(long offsetMs) {
    LOG.log(
        System.Logger.Level.WARNING,
        "this host''s clock differs from the store''s: corrected by {0} ms from now on",
        Long.toString(offsetMs));
  }

  @Override
  public void onSettleFailed(BucketKey key, Amounts amounts, StoreFailure failure) {
    if (mayLog(unsettledLoggedAtMs)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a settlement failed (" + failure.kind() + "): " + key + " " + amounts,
          failure.cause());
    }
  }

  @Override
  public void onSettlementPostponed(BucketKey key, Amounts amounts, StoreFailure failure) {
    if (mayLog(postponedLoggedAtMs)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a settlement could not be written ("
              + failure.kind()
              + ") and is tried again until it is: "
              + key
              + " "
              + amounts,
          failure.cause());
    }
  }

  @Override
  public void onClosedIncomplete(CloseReport report) {
    LOG.log(
        System.Logger.Level.ERROR,
        "the limiter was closed and could not write {0} settlements; {1} writes were not answered",
        Integer.toString(report.unwritten().size()),
        Integer.toString(report.underWay()));
  }

  private boolean mayLog(AtomicLong loggedAtMs) {
    long nowMs = time.elapsedMs();
    long lastMs = loggedAtMs.get();
    return (lastMs == Long.MIN_VALUE || nowMs - lastMs >= QUIET_MS)
        && loggedAtMs.compareAndSet(lastMs, nowMs);
  }
}
