package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.testing.Script;
import org.junit.jupiter.api.Test;

class StepTest {
  @Test
  void map_conversation_asksTheSameAndChangesTheResult() {
    Step<Long> step =
        Step.Ask.one(
            new StoreCall.Read(KEY),
            (reply, nowMs) ->
                Step.Ask.one(
                    new StoreCall.Read(KEY), (again, laterMs) -> new Step.Done<>(laterMs)));

    String result =
        Script.of(Step.map(step, ms -> "at " + ms)).read(null, T).read(null, 7).result();

    assertThat(result).isEqualTo("at 7");
  }
}
