package dev.millrace.examples.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.examples.batch.BatchJob.Outcome;
import dev.millrace.examples.testing.Printed;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchIT {
  @Test
  void show_tooLittleTimeThenEnough_everyDocumentIsDoneOnceAndTheBucketAgrees() throws Exception {
    Printed printed = new Printed();
    List<Outcome> outcomes = Main.show(printed.out());
    String text = printed.text();
    Outcome first = outcomes.get(0);
    Outcome second = outcomes.get(1);

    assertThat(Stream.of(first.done(), first.left()).flatMap(List::stream).map(Document::number))
        .as("done or left, none lost")
        .containsExactlyInAnyOrderElementsOf(all());
    assertThat(Stream.of(first.done(), second.done()).flatMap(List::stream).map(Document::number))
        .as("done once")
        .containsExactlyInAnyOrderElementsOf(all());
    // Whatever the machine does: the limits admit less than all of it until the first deadline.
    assertThat(first.left()).isNotEmpty();
    assertThat(first.failures() + second.failures()).isEqualTo(2);

    long real = first.realTokens() + second.realTokens();
    assertThat(text)
        .contains("not lost: doc-")
        .endsWith(
            "The job counts 200 calls and %,d tokens; the bucket 200 and %,d.%n"
                .formatted(real, real));
  }

  private static List<Integer> all() {
    return IntStream.rangeClosed(1, Main.DOCUMENTS).boxed().toList();
  }
}
