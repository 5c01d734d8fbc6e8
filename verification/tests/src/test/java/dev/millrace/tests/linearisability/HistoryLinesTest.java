package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryLinesTest {
  @Test
  void parse_whatWasFormatted_isTheSame() {
    List<BucketCall> calls =
        List.of(
            new BucketCall.Take(List.of(1_000L, 0L)),
            new BucketCall.Settle(List.of(-500L, 2_000L)),
            new BucketCall.Look());
    List<BucketAnswer> answers = new ArrayList<>();
    answers.addAll(Arrays.asList(null, new BucketAnswer.Done(), new BucketAnswer.Failed()));
    answers.add(new BucketAnswer.Refused(List.of(-1L, 0L)));
    answers.add(new BucketAnswer.Seen(List.of(7L)));
    for (BucketCall call : calls) {
      for (BucketAnswer answer : answers) {
        Operation<BucketCall, BucketAnswer> operation =
            new Operation<>(new CallerId("p1", 2), -5, 1L << 60, call, answer);
        assertThat(HistoryLines.parse(HistoryLines.format(operation))).isEqualTo(operation);
      }
    }
  }

  @Test
  void format_refused_isOneLineOfWords() {
    Operation<BucketCall, BucketAnswer> operation =
        new Operation<>(
            new CallerId("p1", 2),
            10,
            20,
            new BucketCall.Take(List.of(1_000L, 0L)),
            new BucketAnswer.Refused(List.of(999L, -1L)));
    assertThat(HistoryLines.format(operation)).isEqualTo("p1 2 10 20 take:1000,0 refused:999,-1");
  }
}
