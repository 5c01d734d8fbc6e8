package dev.millrace.server.envoy;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.server.problem.ProblemException;
import dev.millrace.server.security.Caller;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers a proxy that asks whether a request should be limited. */
final class RateLimitService extends RateLimitServiceGrpc.RateLimitServiceImplBase {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  /** Longest time for a decision, whatever the caller's deadline. */
  private static final long MAX_DECISION_MS = 5_000;

  /** What of the time that the caller gives is kept for the way back: a tenth, at least this. */
  private static final long LEAST_RESERVE_MS = 2;

  private static final int RESERVE_PART = 10;

  private final Buckets buckets;
  private final Supplier<Mapping> mapping;
  private final EnvoyMeters meters;

  RateLimitService(Buckets buckets, Supplier<Mapping> mapping, EnvoyMeters meters) {
    this.buckets = buckets;
    this.mapping = mapping;
    this.meters = meters;
  }

  @Override
  public void shouldRateLimit(
      RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
    ServiceRequestContext context = ServiceRequestContext.current();
    Mapping now = mapping.get();
    Deciding deciding;
    Domain domain;
    List<Asked> asked = new ArrayList<>();
    try {
      Requests.require(request);
      domain = now.domains().get(request.getDomain());
      if (domain == null) {
        meters.unknownDomain();
        answer(observer, unknown(request, now.onUnknown()));
        return;
      }
      @Nullable Verdict[] verdicts = new Verdict[request.getDescriptorsCount()];
      collect(request, domain, verdicts, asked);
      Caller caller = Caller.of(context);
      asked.forEach(one -> caller.requireNamespace(one.rule().namespace()));
      deciding = new Deciding(buckets, domain, now.nearRatio(), verdicts, asked);
    } catch (RuntimeException e) {
      observer.onError(status(e));
      return;
    }
    if (observer instanceof ServerCallStreamObserver<RateLimitResponse> call) {
      call.setOnCancelHandler(deciding::abandon);
    }
    CompletableFuture<List<Verdict>> result = deciding.start();
    ScheduledFuture<?> timer =
        result.isDone()
            ? null
            : context
                .eventLoop()
                .withoutContext()
                .schedule(deciding::expire, budgetMs(context), TimeUnit.MILLISECONDS);
    Domain judged = domain;
    // On its own thread: one that works for another request must not answer this one.
    CompletableFuture<?> unused =
        result.whenCompleteAsync(
            (verdicts, error) -> {
              if (timer != null) {
                timer.cancel(false);
              }
              if (error != null) {
                observer.onError(status(Buckets.cause(error)));
                return;
              }
              for (Asked one : asked) {
                meters.decided(
                    judged.name(), one.rule().name(), verdicts.get(one.index()).outcome());
              }
              answer(observer, Answers.of(verdicts, judged.headers()));
            },
            context.eventLoop().withoutContext());
  }

  private void collect(
      RateLimitRequest request, Domain domain, @Nullable Verdict[] verdicts, List<Asked> asked) {
    for (int i = 0; i < request.getDescriptorsCount(); i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      Rule rule = domain.ruleFor(descriptor);
      if (rule == null) {
        meters.unknownDescriptor();
        verdicts[i] = Verdict.unlimited(domain.onUnknown());
      } else {
        asked.add(Asked.of(i, rule, descriptor, Requests.hits(request, descriptor)));
      }
    }
  }

  private static RateLimitResponse unknown(RateLimitRequest request, OnUnknown policy) {
    return Answers.of(
        Collections.nCopies(request.getDescriptorsCount(), Verdict.unlimited(policy)), false);
  }

  /** How long the decision may take so that the answer is there before the caller's deadline. */
  private static long budgetMs(ServiceRequestContext context) {
    long allowedMs = context.requestTimeoutMillis();
    if (allowedMs <= 0) {
      return MAX_DECISION_MS;
    }
    long startNanos =
        context
            .log()
            .ensureAvailable(RequestLogProperty.REQUEST_START_TIME)
            .requestStartTimeNanos();
    long leftMs = allowedMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    long reserveMs = Math.max(LEAST_RESERVE_MS, leftMs / RESERVE_PART);
    return Math.max(1, Math.min(MAX_DECISION_MS, leftMs - reserveMs));
  }

  private static void answer(
      StreamObserver<RateLimitResponse> observer, RateLimitResponse response) {
    observer.onNext(response);
    observer.onCompleted();
  }

  /** What went wrong as gRPC says it. What nobody foresaw is logged, and told to nobody. */
  private static StatusRuntimeException status(Throwable error) {
    if (error instanceof StatusRuntimeException known) {
      return known;
    }
    if (error instanceof ProblemException problem) {
      Status status =
          problem.problem().status() == 403 ? Status.PERMISSION_DENIED : Status.UNAVAILABLE;
      return status.withDescription(problem.problem().title()).asRuntimeException();
    }
    if (error instanceof LimiterUnavailableException) {
      return Status.UNAVAILABLE.withDescription("the table cannot be reached").asRuntimeException();
    }
    if (error instanceof CancellationException) {
      return Status.CANCELLED.asRuntimeException();
    }
    LOG.log(System.Logger.Level.ERROR, "a decision for a proxy failed", error);
    return Status.INTERNAL.withDescription("internal").asRuntimeException();
  }
}
