package dev.millrace.client.internal.store;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.CloseReport;
import dev.millrace.OnUnavailable;
import dev.millrace.TimeSource;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The log lines that an operator must see: the store is away, a clock is wrong, a settlement was
 * lost. While a trouble lasts, a line is written once in a while and not once a request.
 */
final class TroubleLog {
  private static final System.Logger LOG = System.getLogger("dev.millrace");

  /** Least time between two lines about the same trouble. */
  static final long QUIET_MS = 10_000;

  private final TimeSource time;
  private final AtomicLong unavailableLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong awayLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong backLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong healedLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong unsettledLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong postponedLoggedAtMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong setBackLoggedAtMs = new AtomicLong(Long.MIN_VALUE);

  TroubleLog(TimeSource time) {
    this.time = time;
  }

  void unavailable(BucketKey key, StoreFailure failure, OnUnavailable policy) {
    if (mayLog(unavailableLoggedAtMs)) {
      String consequence =
          policy == OnUnavailable.ALLOW
              ? "requests are admitted without a charge"
              : "requests are refused";
      warn(
          "the store does not answer (" + failure.kind() + "): " + consequence + "; " + key,
          failure.cause());
    }
  }

  void storeAway(StoreFailure failure) {
    if (mayLog(awayLoggedAtMs)) {
      warn(
          "the store cannot be reached ("
              + failure.kind()
              + "): calls fail at once until it is back; "
              + failure.todo(),
          failure.cause());
    }
  }

  void storeBack(long awayMs) {
    if (mayLog(backLoggedAtMs)) {
      warn("the store answers again after " + awayMs + " ms", null);
    }
  }

  void refillHealed(BucketKey key, long aheadMs) {
    if (mayLog(healedLoggedAtMs)) {
      warn(
          "a writer's clock was "
              + aheadMs
              + " ms ahead: refill of "
              + key
              + " set to now; check the hosts' clocks",
          null);
    }
  }

  void configSetBack(BucketKey key, RecordVersions bucket, RecordVersions stored) {
    if (mayLog(setBackLoggedAtMs)) {
      write(
          System.Logger.Level.ERROR,
          "what is stored about "
              + key
              + " ("
              + stored
              + ") is older than what its bucket follows ("
              + bucket
              + "): requests are refused; was the table restored, or a record deleted?",
          null);
    }
  }

  void clockCorrected(long offsetMs) {
    warn(
        "this host's clock differs from the store's: corrected by " + offsetMs + " ms from now on",
        null);
  }

  void settleFailed(BucketKey key, Amounts amounts, StoreFailure failure) {
    if (mayLog(unsettledLoggedAtMs)) {
      warn("a settlement failed (" + failure.kind() + "): " + key + " " + amounts, failure.cause());
    }
  }

  void settlementPostponed(BucketKey key, Amounts amounts, StoreFailure failure) {
    if (mayLog(postponedLoggedAtMs)) {
      warn(
          "a settlement could not be written ("
              + failure.kind()
              + ") and is tried again until it is: "
              + key
              + " "
              + amounts,
          failure.cause());
    }
  }

  void closedIncomplete(CloseReport report) {
    write(
        System.Logger.Level.ERROR,
        "the limiter was closed and could not write "
            + report.unwritten().size()
            + " settlements; "
            + report.underWay()
            + " writes were not answered",
        null);
  }

  static void warn(String text, @Nullable Throwable cause) {
    write(System.Logger.Level.WARNING, text, cause);
  }

  /** A log that throws must not keep a write from those that wait for its outcome. */
  private static void write(System.Logger.Level level, String text, @Nullable Throwable cause) {
    try {
      LOG.log(level, text, cause);
    } catch (Throwable thrown) {
      // There is no other log to write this to.
    }
  }

  private boolean mayLog(AtomicLong loggedAtMs) {
    long nowMs = time.elapsedMs();
    long lastMs = loggedAtMs.get();
    return (lastMs == Long.MIN_VALUE || nowMs - lastMs >= QUIET_MS)
        && loggedAtMs.compareAndSet(lastMs, nowMs);
  }
}
