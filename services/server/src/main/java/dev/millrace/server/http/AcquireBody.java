package dev.millrace.server.http;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.LimitReading;
import dev.millrace.server.lease.OnExpiry;
import dev.millrace.server.problem.BadRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the body of an acquire says.
 *
 * @param request who wants how much of what
 * @param maxWait how long to wait for it, null for not at all
 * @param ttl how long the lease lives, null for as long as usual
 * @param onExpiry what becomes of it then, null for what is usual
 * @param lease whether a lease is wanted at all
 * @param balances whether to read what is left
 */
record AcquireBody(
    AcquireRequest request,
    @Nullable Duration maxWait,
    @Nullable Duration ttl,
    @Nullable OnExpiry onExpiry,
    boolean lease,
    boolean balances) {
  static AcquireBody read(JsonFields body) {
    AcquireBody read =
        new AcquireBody(
            request(body),
            body.durationOrNull("maxWait"),
            body.durationOrNull("ttl"),
            body.choiceOrNull("onExpiry", OnExpiry.class),
            body.flag("lease", true),
            body.flag("balances", false));
    body.done();
    if (!read.lease && (read.ttl != null || read.onExpiry != null)) {
      throw BadRequest.field(
          "lease", "is false: without a lease 'ttl' and 'onExpiry' mean nothing");
    }
    return read;
  }

  /** The request alone; other fields are refused by whoever reads no more of the body. */
  static AcquireRequest request(JsonFields body) {
    AcquireRequest request = AcquireRequest.of(body.text("entity"), body.text("resource"));
    for (Map.Entry<String, Long> amount : amounts(body).entrySet()) {
      request = request.consume(amount.getKey(), amount.getValue());
    }
    LimitSet limits = limits(body);
    if (limits != null) {
      request = request.limits(limits);
    }
    for (JsonFields also : body.objects("also", AcquireRequest.MAX_RESOURCES)) {
      LimitSet own = limits(also);
      String resource = also.text("resource");
      Map<String, Long> tokens = amounts(also);
      request = own == null ? request.and(resource, tokens) : request.and(resource, own, tokens);
      also.done();
    }
    return request;
  }

  private static Map<String, Long> amounts(JsonFields body) {
    Map<String, Long> amounts = body.numbersOrNull("consume", LimitSet.MAX_LIMITS);
    if (amounts == null || amounts.isEmpty()) {
      throw BadRequest.field("consume", "is missing: name at least one limit and its amount");
    }
    return amounts;
  }

  private static @Nullable LimitSet limits(JsonFields body) {
    if (!body.has("limits")) {
      return null;
    }
    List<Limit> limits = new ArrayList<>();
    for (JsonFields limit : body.objects("limits", LimitSet.MAX_LIMITS)) {
      limits.add(LimitReading.read(limit));
    }
    return LimitSet.of(limits);
  }
}
