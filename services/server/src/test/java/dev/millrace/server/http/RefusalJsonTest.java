package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.server.json.JsonResponses;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals of other servers, which have no JSON library, are the same to the byte. */
class RefusalJsonTest {
  @Test
  void refusal_writtenByTheAdapters_isWhatTheServerWrites() {
    HttpProblem problem =
        HttpRefusal.of(
                new Rejection(
                    List.of(
                        new LimitStatus(
                            "ann@acme", "gpt-4", Limit.perMinute("rpm", 9), -1, 1_000, true, 7),
                        new LimitStatus(
                            "acme",
                            "gpt-4",
                            Limit.perMinute("tpm", 9),
                            0,
                            10_000,
                            true,
                            LimitStatus.NEVER))))
            .problem()
            .detail("\"quoted\" \\ § …")
            .with("soft", true);

    assertThat(problem.json().getBytes(StandardCharsets.UTF_8))
        .isEqualTo(JsonResponses.bytes(problem.all()));
  }
}
