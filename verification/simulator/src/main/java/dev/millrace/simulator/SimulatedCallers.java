package dev.millrace.simulator;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimiterDisabledException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Those who ask: on threads that wait, and with futures. */
final class SimulatedCallers {
  private static final long NANOS_PER_MICRO = 1_000;

  private final Loop loop;
  private final SimulatedTree tree;
  private final Judge judge;
  private final LeaseObserver leases;

  SimulatedCallers(Loop loop, SimulatedTree tree, Judge judge, LeaseObserver leases) {
    this.loop = loop;
    this.tree = tree;
    this.judge = judge;
    this.leases = leases;
  }

  void ask(Action.Ask ask, Life life) {
    ask(ask, life, ExpectedAnswer.ANYTHING);
  }

  void ask(Action.Ask ask, Life life, ExpectedAnswer expected) {
    CallerRequest call =
        new CallerRequest(
            ask,
            life,
            ask.tokens(),
            tree.parts(ask.entity(), ask.tokens(), loop.nowNanos()),
            tree.parts(ask.entity(), ask.adjusts(), loop.nowNanos()),
            tree.chain(ask.entity(), loop.nowNanos()),
            loop.nowNanos(),
            expected,
            judge.applied());
    AcquireRequest request = request(ask);
    judge.asked(call);
    RateLimiter limiter = life.limiter();
    NodeSpec.Port port = life.spec().port();
    if (port == NodeSpec.Port.BLOCKING || (port == NodeSpec.Port.BOTH && ask.blocking())) {
      Fiber unused = life.spawn(() -> block(call, limiter, request));
    } else {
      chain(call, limiter, request);
    }
  }

  private AcquireRequest request(Action.Ask ask) {
    AcquireRequest request = null;
    for (Map.Entry<String, Map<String, Long>> draw : ask.tokens().entrySet()) {
      if (request == null) {
        request = AcquireRequest.of(ask.entity(), draw.getKey());
        if (ask.limits() != null) {
          request = request.limits(ask.limits());
        }
        for (Map.Entry<String, Long> want : draw.getValue().entrySet()) {
          request = request.consume(want.getKey(), want.getValue());
        }
      } else {
        request = request.and(draw.getKey(), draw.getValue());
      }
    }
    return Objects.requireNonNull(request).consistency(ask.consistency());
  }

  private void block(CallerRequest call, RateLimiter limiter, AcquireRequest request) {
    Action.Ask ask = call.ask();
    Acquisition answer;
    try {
      answer =
          ask.maxWaitMs() == 0
              ? limiter.tryAcquire(request)
              : limiter.tryAcquire(request, Duration.ofMillis(ask.maxWaitMs()));
    } catch (InterruptedException e) {
      judge.gaveUp(call);
      return;
    } catch (RuntimeException e) {
      judge.failed(call, e);
      return;
    }
    if (answer instanceof Acquisition.Granted granted) {
      judge.granted(call, granted.lease());
      use(call, granted.lease());
    } else if (answer instanceof Acquisition.Refused refused) {
      judge.refused(call, refused.rejection());
    } else {
      judge.disabled(call);
    }
  }

  private void use(CallerRequest call, Lease lease) {
    Action.Ask ask = call.ask();
    pause(ask.holdMicros());
    if (!ask.more().isEmpty()) {
      CallerRequest more = leases.more(call, lease);
      try {
        lease.consume(ask.more());
        leases.grantedMore(more);
      } catch (RuntimeException e) {
        leases.notGrantedMore(more, e);
      }
    }
    adjust(ask, lease);
    LeaseSettlement settlement = leases.ending(call, lease);
    if (settlement == null) {
      return;
    }
    try {
      if (ask.end() == Action.End.CANCEL) {
        lease.cancel();
      } else {
        lease.close();
      }
      leases.ended(settlement, null);
    } catch (LimiterUnavailableException e) {
      leases.ended(settlement, e);
    }
  }

  private void pause(long micros) {
    try {
      boolean unused = loop.await(new CompletableFuture<>(), micros * NANOS_PER_MICRO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // as a caller does that has still something to do
    }
  }

  private static void adjust(Action.Ask ask, Lease lease) {
    if (ask.end() == Action.End.CLOSE) {
      ask.adjust().forEach(lease::adjust);
    }
  }

  private void chain(CallerRequest call, RateLimiter limiter, AcquireRequest request) {
    Action.Ask ask = call.ask();
    CompletableFuture<Acquisition> answer;
    try {
      CompletionStage<Acquisition> stage =
          ask.maxWaitMs() == 0
              ? limiter.tryAcquireAsync(request)
              : limiter.tryAcquireAsync(request, Duration.ofMillis(ask.maxWaitMs()));
      answer = stage.toCompletableFuture();
    } catch (RuntimeException e) {
      judge.failed(call, e);
      return;
    }
    if (ask.giveUpMicros() > 0) {
      loop.after(
          ask.giveUpMicros() * NANOS_PER_MICRO,
          () -> {
            if (!answer.isDone() && call.life().isAlive()) {
              answer.cancel(true);
            }
          });
    }
    CompletableFuture<?> unused =
        answer.whenComplete(
            (got, thrown) -> {
              // What a callback throws, a future swallows.
              loop.after(0, () -> answered(call, got, thrown));
            });
  }

  private void answered(
      CallerRequest call, @Nullable Acquisition answer, @Nullable Throwable thrown) {
    if (!call.life().isAlive()) {
      return;
    }
    if (thrown != null) {
      Throwable cause = unwrapped(thrown);
      if (cause instanceof CancellationException) {
        judge.cancelled(call);
      } else {
        judge.failed(call, cause);
      }
    } else if (answer instanceof Acquisition.Granted granted) {
      judge.granted(call, granted.lease());
      loop.after(call.ask().holdMicros() * NANOS_PER_MICRO, () -> useAsync(call, granted.lease()));
    } else if (answer instanceof Acquisition.Refused refused) {
      judge.refused(call, refused.rejection());
    } else {
      judge.disabled(call);
    }
  }

  private void useAsync(CallerRequest call, Lease lease) {
    if (!call.life().isAlive()) {
      return;
    }
    if (call.ask().more().isEmpty()) {
      end(call, lease);
      return;
    }
    CallerRequest more = leases.more(call, lease);
    CompletionStage<Void> consumed;
    try {
      consumed = lease.consumeAsync(call.ask().more());
    } catch (RuntimeException e) {
      consumed = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<?> unused =
        consumed
            .whenComplete(
                (done, thrown) ->
                    loop.after(
                        0,
                        () -> {
                          if (call.life().isAlive()) {
                            if (thrown == null) {
                              leases.grantedMore(more);
                            } else {
                              leases.notGrantedMore(more, unwrapped(thrown));
                            }
                            end(call, lease);
                          }
                        }))
            .toCompletableFuture();
  }

  private void end(CallerRequest call, Lease lease) {
    adjust(call.ask(), lease);
    LeaseSettlement settlement = leases.ending(call, lease);
    if (settlement == null) {
      return;
    }
    CompletionStage<Void> ended =
        call.ask().end() == Action.End.CANCEL ? lease.cancelAsync() : lease.closeAsync();
    CompletableFuture<?> unused =
        ended
            .whenComplete(
                (done, thrown) ->
                    loop.after(
                        0,
                        () -> {
                          if (call.life().isAlive()) {
                            leases.ended(settlement, thrown == null ? null : unwrapped(thrown));
                          }
                        }))
            .toCompletableFuture();
  }

  private static Throwable unwrapped(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  /** Whether it is an answer, and not a bug. */
  static boolean isAnswer(Throwable thrown) {
    return thrown instanceof LimiterUnavailableException
        || thrown instanceof RateLimitExceededException
        || thrown instanceof LimiterDisabledException;
  }
}
