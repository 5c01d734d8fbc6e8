package dev.millrace.server.observability;

import com.linecorp.armeria.common.util.AbstractListenable;
import com.linecorp.armeria.server.healthcheck.HealthChecker;
import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import dev.millrace.LimiterOptions;
import dev.millrace.admin.Admin;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerState;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Whether the server should be sent requests: the table answers within a time limit, and the server
 * is not about to stop.
 *
 * <p>The table is asked once a second by the server itself. Whoever asks for readiness gets the
 * last answer, so that asking often costs the table nothing and takes no time.
 */
public final class Readiness extends AbstractListenable<HealthChecker>
    implements ListenableHealthChecker, AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Longest time that the table may take to answer. */
  static final Duration LIMIT = Duration.ofSeconds(2);

  private final Callable<?> probe;
  private final BooleanSupplier accepting;
  private final Duration limit;
  private final ScheduledExecutorService looker;
  private final ExecutorService prober;
  private volatile String why = "the table was not asked yet";
  private volatile boolean answered;

  /**
   * Begins to ask.
   *
   * @param probe asks the table; an exception is no answer
   * @param accepting whether the server takes requests: false when it is about to stop
   */
  public Readiness(Callable<?> probe, BooleanSupplier accepting) {
    this(probe, accepting, LIMIT, EVERY);
  }

  Readiness(Callable<?> probe, BooleanSupplier accepting, Duration limit, Duration every) {
    this.probe = probe;
    this.accepting = accepting;
    this.limit = limit;
    this.looker = Executors.newSingleThreadScheduledExecutor(Readiness::thread);
    this.prober = Executors.newSingleThreadExecutor(Readiness::thread);
    Future<?> unused =
        looker.scheduleWithFixedDelay(this::look, 0, every.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks for the namespace that is always there, one record, as long as the server is at work. */
  public static Readiness of(Admin admin, ServerLife life) {
    return new Readiness(
        () -> admin.namespaces().get(LimiterOptions.DEFAULT_NAMESPACE),
        () -> life.state() == ServerState.READY);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "millrace-readiness");
    thread.setDaemon(true);
    return thread;
  }

  private void look() {
    boolean before = isHealthy();
    Future<?> answer = prober.submit(probe);
    try {
      answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      answered = true;
    } catch (TimeoutException e) {
      answer.cancel(true);
      say("the table did not answer within " + limit);
    } catch (ExecutionException e) {
      say("the table cannot be read");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      say("the server has stopped");
    }
    if (before != isHealthy()) {
      notifyListeners(this);
    }
  }

  private void say(String reason) {
    why = reason;
    answered = false;
  }

  @Override
  public boolean isHealthy() {
    return answered && accepting.getAsBoolean();
  }

  /** Why it is not ready; empty when it is. */
  public String why() {
    if (!accepting.getAsBoolean()) {
      return "the server is about to stop";
    }
    return answered ? "" : why;
  }

  @Override
  public void close() {
    looker.shutdownNow();
    prober.shutdownNow();
  }
}
