package dev.millrace.server.envoy;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.server.envoy.ChargeGroup.Member;
import dev.millrace.server.envoy.EnvoyMapping.Domain;
import dev.millrace.server.envoy.EnvoyMapping.Rule;
import dev.millrace.server.json.ProblemException;
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

/**
 * Envoy's rate-limit service.
 *
 * <p>A request is checked before anything is charged, but only the parts that the configuration of
 * the proxy decides. Values come from the callers of the proxy, and most proxies let a request
 * through after an error: a long header must not circumvent the limit.
 */
final class RateLimitService extends RateLimitServiceGrpc.RateLimitServiceImplBase {
  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  /** Longest time for a decision, whatever the caller's deadline. */
  private static final long MAX_DECISION_MS = 5_000;

  /** The part of the caller's deadline that is kept for the answer: a tenth, at least this. */
  private static final long MIN_RESERVE_MS = 2;

  private static final int RESERVE_PART = 10;

  /** Most descriptors of a request: each may be a round trip. */
  private static final int MAX_DESCRIPTORS = 64;

  private static final int MAX_ENTRIES = 16;

  private final BucketQueries buckets;
  private final Supplier<EnvoyMapping> mapping;
  private final EnvoyMeters meters;

  RateLimitService(BucketQueries buckets, Supplier<EnvoyMapping> mapping, EnvoyMeters meters) {
    this.buckets = buckets;
    this.mapping = mapping;
    this.meters = meters;
  }

  @Override
  public void shouldRateLimit(
      RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
    ServiceRequestContext context = ServiceRequestContext.current();
    EnvoyMapping now = mapping.get();
    RateLimitDecision decision;
    Domain domain;
    List<Member> members = new ArrayList<>();
    try {
      check(request);
      domain = now.domains().get(request.getDomain());
      if (domain == null) {
        meters.unknown("domain");
        answer(
            observer,
            Collections.nCopies(
                request.getDescriptorsCount(), DescriptorDecision.unlimited(now.onUnknown())),
            false);
        return;
      }
      @Nullable DescriptorDecision[] decisions =
          new DescriptorDecision[request.getDescriptorsCount()];
      collect(request, domain, decisions, members);
      Caller caller = Caller.of(context);
      members.forEach(one -> caller.requireNamespace(one.rule().namespace()));
      decision = new RateLimitDecision(buckets, domain, now.nearRatio(), decisions, members);
    } catch (RuntimeException e) {
      observer.onError(status(e));
      return;
    }
    if (observer instanceof ServerCallStreamObserver<RateLimitResponse> call) {
      call.setOnCancelHandler(decision::abandon);
    }
    CompletableFuture<List<DescriptorDecision>> result = decision.start();
    ScheduledFuture<?> timer =
        result.isDone()
            ? null
            : context
                .eventLoop()
                .withoutContext()
                .schedule(decision::expire, budgetMs(context), TimeUnit.MILLISECONDS);
    // On its own event loop: a thread that serves another request must not answer this one.
    CompletableFuture<?> unused =
        result.whenCompleteAsync(
            (decisions, error) -> {
              if (timer != null) {
                timer.cancel(false);
              }
              if (error != null) {
                observer.onError(status(HttpRefusal.unwrapped(error)));
                return;
              }
              members.forEach(
                  one ->
                      meters.decided(
                          domain.name(), one.rule().name(), decisions.get(one.index()).outcome()));
              answer(observer, decisions, domain.headers());
            },
            context.eventLoop().withoutContext());
  }

  private static void check(RateLimitRequest request) {
    if (request.getDomain().isEmpty()) {
      throw invalid("domain '' must not be empty");
    }
    int descriptors = request.getDescriptorsCount();
    if (descriptors < 1 || descriptors > MAX_DESCRIPTORS) {
      throw invalid("descriptors: " + descriptors + " must be from 1 to " + MAX_DESCRIPTORS);
    }
    for (int i = 0; i < descriptors; i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      String path = "descriptors[" + i + "]";
      int entries = descriptor.getEntriesCount();
      if (entries < 1 || entries > MAX_ENTRIES) {
        throw invalid(path + ".entries: " + entries + " must be from 1 to " + MAX_ENTRIES);
      }
      for (int j = 0; j < entries; j++) {
        if (descriptor.getEntries(j).getKey().isEmpty()) {
          throw invalid(path + ".entries[" + j + "].key '' must not be empty");
        }
      }
      long hits = descriptor.getHitsAddend().getValue();
      if (hits < 0 || hits > Limit.MAX_TOKENS) {
        throw invalid(
            "%s.hits_addend %s must be from 0 to %d"
                .formatted(path, Long.toUnsignedString(hits), Limit.MAX_TOKENS));
      }
    }
  }

  private static StatusRuntimeException invalid(String rule) {
    return Status.INVALID_ARGUMENT.withDescription(rule).asRuntimeException();
  }

  private void collect(
      RateLimitRequest request,
      Domain domain,
      @Nullable DescriptorDecision[] decisions,
      List<Member> members) {
    for (int i = 0; i < request.getDescriptorsCount(); i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      Rule rule = domain.ruleFor(descriptor);
      if (rule == null) {
        meters.unknown("descriptor");
        decisions[i] = DescriptorDecision.unlimited(domain.onUnknown());
      } else {
        members.add(Member.of(i, rule, descriptor, hits(request, descriptor)));
      }
    }
  }

  /**
   * The hits of a descriptor: its own, of which 0 means to read and not to count, else those of the
   * request, where 0 is the same as absent and means 1.
   */
  private static long hits(RateLimitRequest request, RateLimitDescriptor descriptor) {
    return descriptor.hasHitsAddend()
        ? descriptor.getHitsAddend().getValue()
        : Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
  }

  /** The time for the decision, so that the answer arrives before the caller's deadline. */
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
    long reserveMs = Math.max(MIN_RESERVE_MS, leftMs / RESERVE_PART);
    return Math.max(1, Math.min(MAX_DECISION_MS, leftMs - reserveMs));
  }

  private static void answer(
      StreamObserver<RateLimitResponse> observer,
      List<DescriptorDecision> decisions,
      boolean headers) {
    observer.onNext(RateLimitResponses.of(decisions, headers));
    observer.onCompleted();
  }

  /** The status of an exception. An unexpected one is logged, and its message is not sent. */
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
