package dev.millrace.server.envoy;

import static dev.millrace.server.envoy.EnvoyServer.descriptor;
import static dev.millrace.server.envoy.EnvoyServer.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UInt64Value;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.server.Await;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.Gate;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The responses to a proxy. The clock stands still, so every token is accounted for. */
@Timeout(60)
class RateLimitServiceTest {
  /** The beginning of a minute: credit is earned in its beat. */
  private static final ManualClock CLOCK = new ManualClock(1_700_000_040_000L);

  private static final FaultyStore STORE = FaultyStore.over(new InMemoryStore());

  /** One for all, because a server takes two seconds to stop: each test has entities of its own. */
  private static final EnvoyServer SERVER = new EnvoyServer(STORE, CLOCK);

  @AfterEach
  void heal() {
    STORE.heal();
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void shouldRateLimit_moreThanTheLimit_isRefusedExactlyThen() {
    double over = SERVER.counted("per-tenant", "over");
    double near = SERVER.counted("per-tenant", "near");
    double ok = SERVER.counted("per-tenant", "ok");
    for (int left = 9; left >= 0; left--) {
      RateLimitResponse response = ask(descriptor("tenant", "acme"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(left);
    }
    DescriptorStatus refused = ask(descriptor("tenant", "acme")).getStatuses(0);
    assertThat(refused.getCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(refused.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
    assertThat(refused.getCurrentLimit().getUnit()).isEqualTo(Unit.MINUTE);
    assertThat(refused.getCurrentLimit().getName()).isEqualTo("rpm");
    assertThat(refused.getDurationUntilReset().getSeconds()).isEqualTo(6);
    assertThat(SERVER.counted("per-tenant", "over") - over).isEqualTo(1);
    assertThat(SERVER.counted("per-tenant", "near") - near).isEqualTo(3);
    assertThat(SERVER.counted("per-tenant", "ok") - ok).isEqualTo(7);
  }

  @Test
  void shouldRateLimit_withHits_chargesThem() {
    assertThat(SERVER.ask(request("edge", descriptor("tenant", "hits")).setHitsAddend(7)))
        .returns(Code.OK, RateLimitResponse::getOverallCode);
    assertThat(SERVER.ask(request("edge", descriptor("tenant", "hits")).setHitsAddend(4)))
        .returns(Code.OVER_LIMIT, RateLimitResponse::getOverallCode);
    assertThat(left("hits", "api")).isEqualTo(3);
  }

  @Test
  void shouldRateLimit_descriptorWithHits_overrulesTheRequest() {
    SERVER.ask(request("edge", hits(descriptor("tenant", "own"), 4)).setHitsAddend(9));
    assertThat(left("own", "api")).isEqualTo(6);
  }

  @Test
  void shouldRateLimit_descriptorWithoutAHit_isLookedAtAndNotCharged() {
    RateLimitResponse response = ask(hits(descriptor("tenant", "looks"), 0));
    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(10);
    assertThat(left("looks", "api")).isEqualTo(10);
  }

  @Test
  void shouldRateLimit_severalResourcesOfOneEntity_chargesAllOrNone() {
    RateLimitDescriptor whole = descriptor("tenant", "both");
    RateLimitDescriptor model = descriptor("tenant", "both", "model", "gpt-4");
    assertThat(ask(whole, hits(model, 101)).getStatusesList())
        .extracting(DescriptorStatus::getCode)
        .containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(left("both", "api")).isEqualTo(10);
    assertThat(ask(whole, hits(model, 100)).getOverallCode()).isEqualTo(Code.OK);
    assertThat(left("both", "api")).isEqualTo(9);
  }

  @Test
  void shouldRateLimit_severalEntitiesOfWhichTheLastRefuses_givesTheOthersBack() {
    for (int i = 0; i < 3; i++) {
      ask(descriptor("remote_address", "10.0.0.1"));
    }
    RateLimitResponse response =
        ask(descriptor("tenant", "first"), descriptor("remote_address", "10.0.0.1"));
    assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    assertThat(response.getStatusesList())
        .extracting(DescriptorStatus::getCode)
        .containsExactly(Code.OK, Code.OVER_LIMIT);
    assertThat(left("first", "api")).isEqualTo(10);
  }

  @Test
  void shouldRateLimit_severalEntitiesOfWhichTheFirstRefuses_looksAtTheOthers() {
    ask(hits(descriptor("tenant", "gone"), 10));
    RateLimitResponse response =
        ask(
            descriptor("tenant", "gone"),
            descriptor("remote_address", "10.0.0.2"),
            hits(descriptor("remote_address", "10.0.0.3"), 4));
    assertThat(response.getStatusesList())
        .extracting(DescriptorStatus::getCode)
        .containsExactly(Code.OVER_LIMIT, Code.OK, Code.OVER_LIMIT);
    assertThat(ask(hits(descriptor("remote_address", "10.0.0.2"), 3)).getOverallCode())
        .isEqualTo(Code.OK);
  }

  @Test
  void shouldRateLimit_sameBucketTwice_chargesBoth() {
    ask(descriptor("tenant", "twice"), descriptor("tenant", "twice"));
    assertThat(left("twice", "api")).isEqualTo(8);
  }

  @Test
  void shouldRateLimit_shadow_countsAndLetsThrough() {
    for (int i = 0; i < 5; i++) {
      assertThat(ask(descriptor("watched", "w")).getOverallCode()).isEqualTo(Code.OK);
    }
    assertThat(SERVER.counted("watched", "shadow")).isEqualTo(3);
  }

  @Test
  void shouldRateLimit_unknownDomainOrDescriptor_isAnsweredAsConfiguredAndCounted() {
    assertThat(SERVER.ask(request("nowhere", descriptor("a", "b"))).getOverallCode())
        .isEqualTo(Code.OK);
    assertThat(SERVER.ask(request("closed", descriptor("other", "b"))).getOverallCode())
        .isEqualTo(Code.OVER_LIMIT);
    assertThat(SERVER.unknown("domain")).isEqualTo(1);
    assertThat(SERVER.unknown("descriptor")).isEqualTo(1);
  }

  @Test
  void shouldRateLimit_noStoredLimits_isAnsweredAsUnknown() {
    RateLimitResponse response = ask(descriptor("stored", "nobody"));
    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(response.getStatuses(0).hasCurrentLimit()).isFalse();
    assertThat(SERVER.counted("stored", "unlimited")).isEqualTo(1);
  }

  @Test
  void shouldRateLimit_headersWanted_areThoseOfTheProxysFilter() {
    assertThat(ask(descriptor("tenant", "headers")).getResponseHeadersToAddList())
        .containsExactly(
            header("x-ratelimit-limit", "10, 10;w=60;name=\"rpm\""),
            header("x-ratelimit-remaining", "9"),
            header("x-ratelimit-reset", "6"));
  }

  @Test
  void shouldRateLimit_tableAway_isAnsweredAsTheRuleSays() {
    FaultyStore away = FaultyStore.over(new InMemoryStore());
    away.always(call -> true, Fault.unreachable());
    // A server of its own: limiters remember that their store is away.
    try (EnvoyServer server = new EnvoyServer(away, CLOCK)) {
      assertThat(server.ask(request("edge", descriptor("open", "o"))).getOverallCode())
          .isEqualTo(Code.OK);
      assertThat(server.ask(request("edge", descriptor("shut", "s"))).getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
      assertThatThrownBy(() -> server.ask(request("edge", descriptor("tenant", "t"))))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
      assertThat(server.counted("open", "unavailable")).isEqualTo(1);
    }
  }

  @Test
  void shouldRateLimit_deadlineOver_isAnsweredBeforeItAndChargesNothing() throws Exception {
    Gate gate = new Gate();
    double before = SERVER.counted("open", "unavailable");
    STORE.always(StoreCall::writes, Fault.holdRequest(gate));
    RateLimitResponse response =
        SERVER
            .client()
            .withDeadlineAfter(2, TimeUnit.SECONDS)
            .shouldRateLimit(request("edge", descriptor("open", "late")).build());
    assertThat(response.getOverallCode()).isEqualTo(Code.OK);
    assertThat(SERVER.counted("open", "unavailable") - before).isEqualTo(1);
    gate.open();
    Await.until("what came too late is given back", () -> left("late", "api") == 10);
  }

  @Test
  void shouldRateLimit_tooManyDescriptors_areRefusedByNameAndNumber() {
    List<RateLimitDescriptor> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(descriptor("tenant", "t" + i));
    }
    assertThatThrownBy(() -> ask(many.toArray(RateLimitDescriptor[]::new)))
        .hasMessageContaining("descriptors: 1000 must be from 1 to 64");
  }

  @Test
  void shouldRateLimit_requestThatBreaksARule_isRefusedByFieldAndValue() {
    assertThatThrownBy(() -> SERVER.ask(request("", descriptor("a", "b"))))
        .hasMessageContaining("INVALID_ARGUMENT: domain '' must not be empty");
    assertThatThrownBy(() -> ask(RateLimitDescriptor.getDefaultInstance()))
        .hasMessageContaining("descriptors[0].entries: 0 must be from 1 to 16");
    assertThatThrownBy(() -> ask(descriptor("", "b")))
        .hasMessageContaining("descriptors[0].entries[0].key '' must not be empty");
    assertThatThrownBy(() -> ask(hits(descriptor("tenant", "b"), -1)))
        .hasMessageContaining("descriptors[0].hits_addend 18446744073709551615 must be from 0");
  }

  @Test
  void shouldRateLimit_storedLimits_areUsed() {
    try (Admin admin = Admin.of(STORE, AdminOptions.of("test"))) {
      admin
          .in("default")
          .limits()
          .set(LimitTarget.entity("limited"), LimitSet.of(LimitNotation.parse("rpm:1/min")));
    }
    assertThat(ask(descriptor("stored", "limited")).getOverallCode()).isEqualTo(Code.OK);
    assertThat(ask(descriptor("stored", "limited")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  private long left(String entity, String resource) {
    // The bucket's own limits: what came with the first request.
    return SERVER
        .limiters()
        .in("default")
        .available(entity, resource, LimitNotation.parse("rpm:10/min"))
        .tokens("rpm");
  }

  private RateLimitResponse ask(RateLimitDescriptor... descriptors) {
    return SERVER.ask(request("edge", descriptors));
  }

  private static RateLimitDescriptor hits(RateLimitDescriptor descriptor, long hits) {
    return descriptor.toBuilder().setHitsAddend(UInt64Value.of(hits)).build();
  }

  private static HeaderValue header(String key, String value) {
    return HeaderValue.newBuilder().setKey(key).setValue(value).build();
  }
}
