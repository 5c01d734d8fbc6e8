package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits that are stored, where a key draws on its team. */
class StoredLimitsTest {
  private final Meters meters = new Meters();
  private final NamespaceAdmin tenants =
      Admin.of(meters.memory, AdminOptions.of("tests")).in("default");
  private final LlmMeter meter =
      LlmMeter.builder(
              RateLimiter.create(
                  meters.memory, LimiterOptions.builder().time(meters.clock).build()),
              Meters.SHAPE)
          .counter((model, text) -> Meters.tokens(text))
          .estimator(Meters.TWENTY)
          .build();

  @BeforeEach
  void store() {
    tenants.entities().create(NewEntity.of("team"));
    tenants.entities().create(NewEntity.of("key").under("team").cascading());
    tenants
        .limits()
        .set(
            LimitTarget.resource("m"),
            LimitSet.of(Limit.perMinute("rpm", 10), Limit.perMinute("tpm", 5_000)));
    tenants
        .limits()
        .set(LimitTarget.entityResource("team", "m"), LimitSet.of(Limit.perMinute("tpm", 400)));
  }

  private static LlmCall call(int inputTokens) {
    return LlmCall.chat("key", "m").message("a".repeat(inputTokens)).build();
  }

  private long tokens(String entityId) {
    return meters.books.consumed(entityId, "m").getOrDefault("tpm", 0L);
  }

  @Test
  void begin_estimateAboveWhatTheTeamCanHold_isCutDownToThat() {
    MeteredCall call = meter.begin(call(1_000));

    assertThat(call.charged("tpm")).isEqualTo(400);
    call.end(CallEnd.used(LlmUsage.of(1_000, 30)));

    assertThat(tokens("key")).isEqualTo(1_030);
    assertThat(tokens("team")).isEqualTo(1_030);
    assertThatThrownBy(() -> meter.begin(call(1))).isInstanceOf(RateLimitExceededException.class);
  }

  @Test
  void end_everyAncestor_isSettledAndGivenBack() {
    meter.begin(call(100)).end(CallEnd.used(LlmUsage.of(90, 5)));
    meter.begin(call(100)).end(CallEnd.nothingUsed());

    assertThat(tokens("key")).isEqualTo(95);
    assertThat(tokens("team")).isEqualTo(95);
  }
}
