package dev.millrace.proving.soak.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalTest {
  private static final JournalHeader HEADER =
      new JournalHeader("worker-0-1", true, 4_500, 100, false, 20);
  private static final List<AccountAmount> POSTINGS =
      List.of(
          new AccountAmount(new Account("key-1/api", "rps"), 1_000),
          new AccountAmount(new Account("key-1/api", "tpm"), -2_500));

  @TempDir private Path directory;

  @Test
  void read_everySortOfLine_isWhatWasWritten() throws IOException {
    try (JournalWriter writer = JournalWriter.create(directory, HEADER)) {
      long op = writer.beginLease(POSTINGS);
      writer.end(op, OperationOutcome.GRANTED);
      long settle = writer.begin(JournalLine.Kind.SETTLE, op, POSTINGS);
      writer.end(settle, OperationOutcome.UNSETTLED);
      writer.begin(JournalLine.Kind.CANCEL, op, POSTINGS);
      writer.written("key-1/api", 20);
      writer.lostAnswer("key-1/api");
      writer.notSettled(POSTINGS);
      writer.givenBack("key-1/api");
      writer.event("database killed");
      writer.oddity(new IllegalStateException("two\nlines"));
      writer.complete();
    }

    Journal journal = Journal.read(directory.resolve("worker-0-1.journal"));

    assertThat(journal.header()).isEqualTo(HEADER);
    assertThat(journal.isComplete()).isTrue();
    assertThat(journal.lines()).hasSize(12);
    JournalLine.Intent first = (JournalLine.Intent) journal.lines().get(0);
    assertThat(first.postings()).isEqualTo(POSTINGS);
    assertThat(first.lease()).isEqualTo(first.op());
    assertThat(journal.lines().get(1))
        .isEqualTo(
            new JournalLine.Result(
                journal.lines().get(1).atMs(), first.op(), OperationOutcome.GRANTED));
    assertThat(journal.lines().get(10))
        .hasToString(
            "X %d java.lang.IllegalStateException: two lines"
                .formatted(journal.lines().get(10).atMs()));
    for (JournalLine line : journal.lines()) {
      assertThat(JournalLines.parse(line.toString())).isEqualTo(line);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"A 17 2 2 key-1/api:rps=1", "A 17 2 2 key-1/api:rps=1000", "R 17 1 GRA", "R", ""})
  void parse_lastLineTorn_isLeftOut(String torn) {
    String whole = "H 1 " + HEADER + "\nA 5 1 1 key-1/api:rps=1000\n";

    Journal journal = Journal.parse("torn", whole + torn);

    assertThat(journal.lines())
        .containsExactly(
            new JournalLine.Intent(
                5,
                1,
                JournalLine.Kind.ACQUIRE,
                1,
                List.of(new AccountAmount(new Account("key-1/api", "rps"), 1_000))));
    assertThat(journal.isComplete()).isFalse();
    assertThat(journal.lastMs()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"R 17 1 GRA", "R", "Q 17", "A 17 x 2", "A 17 1 1 rps=1", "A 17 1 1 key/api:rps"})
  void parse_lineInBetweenTorn_isRefusedWithItsNumber(String torn) {
    String text = "H 1 " + HEADER + "\n" + torn + "\nE 20\n";

    assertThatThrownBy(() -> Journal.parse("worker", text))
        .isInstanceOf(JournalException.class)
        .hasMessageStartingWith("worker, line 2: ");
  }

  @Test
  void parse_noHeader_isRefused() {
    assertThatThrownBy(() -> Journal.parse("worker", "E 20\n"))
        .isInstanceOf(JournalException.class)
        .hasMessage("worker does not begin with a header");
  }

  /** A name is used once: a second life of the same worker must not write over the first. */
  @Test
  void create_existingFile_isRefused() throws IOException {
    Files.writeString(directory.resolve("worker-0-1.journal"), "", StandardOpenOption.CREATE_NEW);

    assertThatThrownBy(() -> JournalWriter.create(directory, HEADER))
        .isInstanceOf(JournalException.class)
        .hasMessageStartingWith("cannot begin");
  }
}
