package dev.millrace.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.millrace.regions.CycleReport;
import dev.millrace.regions.RegionExchange;
import dev.millrace.s3.S3Regions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A Lambda function for the exchange between regions, one window per invocation by a schedule. All
 * state is in the table and in S3, so any process can run any window; a warm one reads only what is
 * new. The response is the report of the window.
 *
 * <p>A window ends before the time limit of the function, and a process runs one at a time. Two
 * processes at once are safe, but the work of one is useless.
 */
public final class RegionsHandler
    implements RequestHandler<@Nullable Map<String, Object>, Map<String, @Nullable Object>> {
  /** The part of the function's time for one call to S3 and the response. */
  static final Duration RESERVE = S3Regions.CALL_TIMEOUT.plusSeconds(2);

  /** Longest window without a time limit of the function. */
  static final Duration MAX_WINDOW = Duration.ofMinutes(1);

  private static final Logger LOG = System.getLogger(RegionsHandler.class.getName());

  private final RegionExchange exchange;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** With the {@link RegionsSettings} of the environment. Lambda calls this once per process. */
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
      return MAX_WINDOW;
    }
    Duration most = Duration.ofMillis(context.getRemainingTimeInMillis()).minus(RESERVE);
    if (most.isNegative() || most.isZero()) {
      throw new IllegalStateException(
          "the function's time limit must be more than " + RESERVE.toSeconds() + " s");
    }
    return most;
  }
}
