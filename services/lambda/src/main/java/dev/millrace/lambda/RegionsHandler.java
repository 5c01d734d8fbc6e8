package dev.millrace.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.RegionExchange;
import dev.millrace.s3.S3SnapshotExchange;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Takes part in the exchange between regions, one window each time that a schedule calls. Whatever
 * counts is in the table and in S3, so any process can take any window; one that is warm still
 * knows what it has heard, and asks only for what is new. The answer tells how the window went.
 *
 * <p>A window ends before the function is ended, and there is one at a time in a process; two
 * processes at once are safe, and one of them works in vain.
 */
public final class RegionsHandler
    implements RequestHandler<@Nullable Map<String, Object>, Map<String, @Nullable Object>> {
  /** What is kept back of the function's time: one call to S3, and something to answer in. */
  static final Duration KEPT_BACK = S3SnapshotExchange.CALL_TIMEOUT.plusSeconds(2);

  /** How long a window may take when nobody says how long the function may. */
  static final Duration MOST = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger(RegionsHandler.class.getName());

  private final RegionExchange exchange;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** As the environment says; see {@link RegionsSettings}. Lambda calls this once a process. */
  public RegionsHandler() {
    this(RegionsSettings.fromEnvironment(System.getenv()).open());
  }

  RegionsHandler(RegionExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public Map<String, @Nullable Object> handleRequest(
      @Nullable Map<String, Object> event, @Nullable Context context) {
    Duration most = most(context);
    if (!busy.compareAndSet(false, true)) {
      return Map.of("skipped", "a window is under way in this process");
    }
    try {
      CycleReport report = exchange.cycle(most);
      if (report.evicted() || report.work().failedPairs() > 0) {
        LOG.log(Level.WARNING, "A window with something wrong: {0}", report);
      }
      return report.fields();
    } finally {
      busy.set(false);
    }
  }

  private static Duration most(@Nullable Context context) {
    if (context == null) {
      return MOST;
    }
    Duration most = Duration.ofMillis(context.getRemainingTimeInMillis()).minus(KEPT_BACK);
    if (most.isNegative() || most.isZero()) {
      throw new IllegalStateException(
          "the function's time limit must be more than " + KEPT_BACK.toSeconds() + " s");
    }
    return most;
  }
}
