package dev.millrace.server.envoy;

import com.google.protobuf.Duration;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitStatus;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts as the proxy reads them. Quotas and dynamic metadata are left out: nothing is cached.
 */
final class Answers {
  /** Most that a number of 32 bits without a sign holds. */
  private static final long MAX_UINT32 = 0xffff_ffffL;

  private Answers() {}

  static RateLimitResponse of(List<Verdict> verdicts, boolean headers) {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    boolean over = false;
    for (Verdict verdict : verdicts) {
      over |= verdict.over();
      response.addStatuses(status(verdict));
    }
    response.setOverallCode(over ? Code.OVER_LIMIT : Code.OK);
    if (headers) {
      addHeaders(response);
    }
    return response.build();
  }

  private static DescriptorStatus status(Verdict verdict) {
    DescriptorStatus.Builder status =
        DescriptorStatus.newBuilder().setCode(verdict.over() ? Code.OVER_LIMIT : Code.OK);
    Standing standing = verdict.standing();
    if (standing != null) {
      status
          .setCurrentLimit(limit(standing.limit()))
          .setLimitRemaining(verdict.over() ? 0 : uint32(standing.remaining()));
      if (standing.resetMs() != LimitStatus.NEVER) {
        status.setDurationUntilReset(
            Duration.newBuilder()
                .setSeconds(standing.resetMs() / 1_000)
                .setNanos((int) (standing.resetMs() % 1_000) * 1_000_000));
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
    for (RateLimit.Unit unit : RateLimit.Unit.values()) {
      if (seconds(unit) * 1_000 == periodMs) {
        return unit;
      }
    }
    return null;
  }

  /** How long a unit is; months and years have no length of their own. */
  private static long seconds(RateLimit.Unit unit) {
    return switch (unit) {
      case SECOND -> 1;
      case MINUTE -> 60;
      case HOUR -> 3_600;
      case DAY -> 86_400;
      case WEEK -> 604_800;
      default -> -1;
    };
  }

  /** Down to what the field holds; the number is read without its sign. */
  private static int uint32(long value) {
    return (int) Math.min(value, MAX_UINT32);
  }

  /**
   * The headers that the proxy's own filter writes from the statuses, for clients of proxies on
   * which that is not switched on: the descriptor with the least left, then every limit.
   */
  private static void addHeaders(RateLimitResponse.Builder response) {
    DescriptorStatus least = null;
    StringBuilder policies = new StringBuilder();
    for (DescriptorStatus status : response.getStatusesList()) {
      if (!status.hasCurrentLimit() || seconds(status.getCurrentLimit().getUnit()) < 0) {
        continue;
      }
      if (least == null
          || Integer.compareUnsigned(status.getLimitRemaining(), least.getLimitRemaining()) < 0) {
        least = status;
      }
      RateLimit limit = status.getCurrentLimit();
      policies
          .append(", ")
          .append(Integer.toUnsignedString(limit.getRequestsPerUnit()))
          .append(";w=")
          .append(seconds(limit.getUnit()))
          .append(";name=\"")
          .append(limit.getName())
          .append('"');
    }
    if (least == null) {
      return;
    }
    String most = Integer.toUnsignedString(least.getCurrentLimit().getRequestsPerUnit());
    Duration reset = least.getDurationUntilReset();
    header(response, "x-ratelimit-limit", most + policies);
    header(response, "x-ratelimit-remaining", Integer.toUnsignedString(least.getLimitRemaining()));
    // up: a client that obeys is not refused again for coming early
    header(
        response,
        "x-ratelimit-reset",
        String.valueOf(reset.getSeconds() + (reset.getNanos() > 0 ? 1 : 0)));
  }

  private static void header(RateLimitResponse.Builder response, String key, String value) {
    response.addResponseHeadersToAdd(HeaderValue.newBuilder().setKey(key).setValue(value));
  }
}
