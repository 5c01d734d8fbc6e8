package dev.millrace.server.observability;

import com.linecorp.armeria.common.util.AbstractListenable;
import com.linecorp.armeria.common.util.ThreadFactories;
import com.linecorp.armeria.server.healthcheck.HealthChecker;
import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import dev.millrace.LimiterOptions;
import dev.millrace.admin.Admin;
import dev.millrace.server.ServerLife;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The readiness of the server for requests: the table answers within a time limit, and the server
 * is not about to stop. The server itself asks the table once a second, so that a probe costs the
 * table nothing and takes no time.
 */
public final class Readiness extends AbstractListenable<HealthChecker>
    implements ListenableHealthChecker, AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Longest time that the table may take to answer. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final Callable<?> probe;
  private final BooleanSupplier accepting;
  private final Duration limit;
  private final ScheduledExecutorService schedule;
  private final ExecutorService prober;
  private volatile String failure = "the table was not asked yet";
  private volatile boolean answered;

  /**
   * Starts to ask.
   *
   * @param probe asks the table; an exception is no answer
   * @param accepting false when the server is about to stop
   * @param limit longest time that the table may take to answer
   */
  Readiness(Callable<?> probe, BooleanSupplier accepting, Duration limit, Duration pause) {
    this.probe = probe;
    this.accepting = accepting;
    this.limit = limit;
    ThreadFactory threads = ThreadFactories.newThreadFactory("millrace-readiness", true);
    this.schedule = Executors.newSingleThreadScheduledExecutor(threads);
    this.prober = Executors.newSingleThreadExecutor(threads);
    Future<?> unused =
        schedule.scheduleWithFixedDelay(this::look, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Reads the record of the default namespace, as long as the server is not about to stop. */
  public static Readiness of(Admin admin, ServerLife life) {
    return new Readiness(
        () -> admin.namespaces().get(LimiterOptions.DEFAULT_NAMESPACE),
        () -> life.state() == ServerLife.State.READY,
        LIMIT,
        PAUSE);
  }

  private void look() {
    boolean before = isHealthy();
    Future<?> answer = prober.submit(probe);
    try {
      answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      answered = true;
    } catch (TimeoutException e) {
      answer.cancel(true);
      fail("the table did not answer within " + limit);
    } catch (ExecutionException e) {
      fail("the table cannot be read");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail("the server has stopped");
    }
    if (before != isHealthy()) {
      notifyListeners(this);
    }
  }

  private void fail(String reason) {
    failure = reason;
    answered = false;
  }

  @Override
  public boolean isHealthy() {
    return answered && accepting.getAsBoolean();
  }

  /** The reason why the server is not ready; empty when it is. */
  String reason() {
    if (!accepting.getAsBoolean()) {
      return "the server is about to stop";
    }
    return answered ? "" : failure;
  }

  @Override
  public void close() {
    schedule.shutdownNow();
    prober.shutdownNow();
  }
}
