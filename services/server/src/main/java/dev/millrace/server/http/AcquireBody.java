package dev.millrace.server.http;

import dev.millrace.AcquireRequest;
import dev.millrace.LimitSet;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.JsonFields;
import dev.millrace.server.json.LimitsJson;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of an acquire.
 *
 * @param request the entity, the resources and the amounts
 * @param maxWait longest wait for tokens, null for none
 * @param ttl life of the lease, null for the default
 * @param onExpiry the treatment of the lease at its expiry, null for the default
 * @param lease whether a lease is wanted
 * @param balances whether the response has the balances that remain
 */
record AcquireBody(
    AcquireRequest request,
    @Nullable Duration maxWait,
    @Nullable Duration ttl,
    LeaseSettings.@Nullable OnExpiry onExpiry,
    boolean lease,
    boolean balances) {
  static AcquireBody read(JsonFields body) {
    AcquireBody read =
        new AcquireBody(
            request(body),
            body.durationOrNull("maxWait"),
            body.durationOrNull("ttl"),
            body.choiceOrNull("onExpiry", LeaseSettings.OnExpiry.class),
            body.flag("lease", true),
            body.flag("balances", false));
    body.done();
    if (!read.lease && (read.ttl != null || read.onExpiry != null)) {
      throw BadRequest.field(
          "lease", "is false: without a lease 'ttl' and 'onExpiry' mean nothing");
    }
    return read;
  }

  /** The request alone, without a check for further fields. */
  static AcquireRequest request(JsonFields body) {
    AcquireRequest request = AcquireRequest.of(body.text("entity"), body.text("resource"));
    for (Map.Entry<String, Long> amount : body.amounts("consume").entrySet()) {
      request = request.consume(amount.getKey(), amount.getValue());
    }
    LimitSet limits = limits(body);
    if (limits != null) {
      request = request.limits(limits);
    }
    for (JsonFields also : body.objects("also", AcquireRequest.MAX_RESOURCES)) {
      LimitSet own = limits(also);
      String resource = also.text("resource");
      Map<String, Long> tokens = also.amounts("consume");
      request = own == null ? request.and(resource, tokens) : request.and(resource, own, tokens);
      also.done();
    }
    return request;
  }

  private static @Nullable LimitSet limits(JsonFields body) {
    return body.has("limits") ? LimitsJson.limits(body, "limits", LimitSet.MAX_LIMITS) : null;
  }
}
