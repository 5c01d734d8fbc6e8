package dev.millrace.server.envoy;

import com.google.protobuf.Duration;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitStatus;
import dev.millrace.server.envoy.DescriptorDecision.LimitBalance;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decisions as the proxy reads them, without quotas and dynamic metadata. */
final class RateLimitResponses {
  private static final Map<RateLimit.Unit, Long> UNIT_SECONDS =
      Map.of(
          RateLimit.Unit.SECOND, 1L,
          RateLimit.Unit.MINUTE, 60L,
          RateLimit.Unit.HOUR, 3_600L,
          RateLimit.Unit.DAY, 86_400L,
          RateLimit.Unit.WEEK, 604_800L); // months and years have no fixed length

  /** Most that a number of 32 bits without a sign holds. */
  private static final long MAX_UINT32 = 0xffff_ffffL;

  private RateLimitResponses() {}

  static RateLimitResponse of(List<DescriptorDecision> decisions, boolean headers) {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    decisions.forEach(decision -> response.addStatuses(status(decision)));
    boolean over = decisions.stream().anyMatch(DescriptorDecision::over);
    response.setOverallCode(code(over));
    if (headers) {
      addHeaders(response);
    }
    return response.build();
  }

  private static Code code(boolean over) {
    return over ? Code.OVER_LIMIT : Code.OK;
  }

  private static DescriptorStatus status(DescriptorDecision decision) {
    DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCode(code(decision.over()));
    LimitBalance balance = decision.balance();
    if (balance != null) {
      status
          .setCurrentLimit(limit(balance.limit()))
          .setLimitRemaining(
              decision.over() ? 0 : (int) Math.min(balance.tokens(), MAX_UINT32)); // read unsigned
      if (balance.resetMs() != LimitStatus.NEVER) {
        status.setDurationUntilReset(
            Duration.newBuilder()
                .setSeconds(balance.resetMs() / 1_000)
                .setNanos((int) (balance.resetMs() % 1_000) * 1_000_000));
      }
    }
    return status.build();
  }

  /** The limit with its rate, where the rate is a whole number of tokens in a unit there is. */
  private static RateLimit limit(Limit limit) {
    RateLimit.Builder answer = RateLimit.newBuilder().setName(limit.name());
    Refill refill = limit.refill();
    RateLimit.Unit unit = unit(refill.periodMs());
    long tokens = refill.amountMilli() / Limit.MILLI;
    if (unit != null && refill.amountMilli() % Limit.MILLI == 0 && tokens <= MAX_UINT32) {
      answer.setRequestsPerUnit((int) tokens).setUnit(unit);
    }
    return answer.build();
  }

  private static RateLimit.@Nullable Unit unit(long periodMs) {
    return UNIT_SECONDS.entrySet().stream()
        .filter(unit -> unit.getValue() * 1_000 == periodMs)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  /**
   * The headers that the proxy's own filter writes from the statuses if that is enabled there: the
   * descriptor with the least left, then every limit.
   */
  private static void addHeaders(RateLimitResponse.Builder response) {
    DescriptorStatus least = null;
    StringBuilder policies = new StringBuilder();
    for (DescriptorStatus status : response.getStatusesList()) {
      RateLimit limit = status.getCurrentLimit();
      Long seconds = UNIT_SECONDS.get(limit.getUnit());
      if (!status.hasCurrentLimit() || seconds == null) {
        continue;
      }
      if (least == null
          || Integer.compareUnsigned(status.getLimitRemaining(), least.getLimitRemaining()) < 0) {
        least = status;
      }
      policies.append(
          ", %s;w=%d;name=\"%s\""
              .formatted(
                  Integer.toUnsignedString(limit.getRequestsPerUnit()), seconds, limit.getName()));
    }
    if (least == null) {
      return;
    }
    String most = Integer.toUnsignedString(least.getCurrentLimit().getRequestsPerUnit());
    Duration reset = least.getDurationUntilReset();
    header(response, "x-ratelimit-limit", most + policies);
    header(response, "x-ratelimit-remaining", Integer.toUnsignedString(least.getLimitRemaining()));
    // rounded up: a client that waits for it is not refused again
    header(
        response,
        "x-ratelimit-reset",
        String.valueOf(reset.getSeconds() + (reset.getNanos() > 0 ? 1 : 0)));
  }

  private static void header(RateLimitResponse.Builder response, String key, String value) {
    response.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(key).setValue(value));
  }
}
