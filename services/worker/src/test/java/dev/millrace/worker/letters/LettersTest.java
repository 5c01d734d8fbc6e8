package dev.millrace.worker.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.aggregator.internal.DestinationJson;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.testkit.InMemoryUsageStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Letters are kept whole, and replayed once. */
class LettersTest {
  private static final long AT_MS = 1_794_776_400_250L;
  private static final String HALF_A_PAIR = "\ud83d";

  private final InMemoryUsageStore usage = new InMemoryUsageStore();

  @TempDir private Path directory;

  @Test
  void read_whatWasWritten_isTheSameRecord() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("s", AttributeValue.fromS("\"quoted\"\n\\ é 😀 " + HALF_A_PAIR + "\u0000"));
    item.put("n", AttributeValue.fromN("12345678901234567890123456789012345678"));
    item.put("b", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {0, -1, 7})));
    item.put("ss", AttributeValue.fromSs(List.of("a", "b")));
    item.put("ns", AttributeValue.fromNs(List.of("1", "2.5")));
    item.put("bs", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("x"))));
    item.put("m", AttributeValue.fromM(Map.of("l", AttributeValue.fromL(List.of()))));
    item.put("t", AttributeValue.fromBool(true));
    item.put("null", AttributeValue.fromNul(true));
    item.put("odd \" name", AttributeValue.builder().build());
    StreamRecord record =
        new StreamRecord(
            "123", AT_MS, OperationType.UNKNOWN_TO_SDK_VERSION, true, Map.of(), item, Map.of());

    DeadLetter whole = new DeadLetter(record, "why");
    DeadLetter half = new DeadLetter(record, "why", List.of(Window.HOUR, Window.parse("day")));
    DeadLetter ofStream =
        new DeadLetter(
            new StreamRecord(
                "2026-11-18T17:14:04.123",
                "123",
                AT_MS,
                OperationType.UNKNOWN_TO_SDK_VERSION,
                true,
                Map.of(),
                item,
                Map.of()),
            "why");

    for (DeadLetter letter : List.of(whole, half, ofStream)) {
      String line = DestinationJson.of(letter);
      assertThat(line).doesNotContain("\n");
      assertThat(LetterReader.read(line)).contains(letter);
    }
  }

  @Test
  void read_noLetter_isNothing() {
    for (String line : List.of("", "{}", "[1]", "{\"record\":{}}", "half {\"rec", "null")) {
      assertThat(LetterReader.read(line)).as(line).isEmpty();
    }
  }

  @Test
  void put_afterACrashInTheMiddleOfALine_beginsANewOne() throws IOException {
    Path file = directory.resolve("letters");
    FileDeadLetters letters = new FileDeadLetters(file);
    letters.accept(List.of(new DeadLetter(insert("1", "key-1", "1000"), "why")));
    Files.writeString(file, "{\"error\":\"cut sh", StandardOpenOption.APPEND);
    letters.accept(List.of(new DeadLetter(insert("2", "key-1", "1000"), "why")));

    assertThat(Files.readAllLines(file)).hasSize(3);
    Replay.Result result = replay().run(new LetterSource.FileLetters(file), false);
    assertThat(result).isEqualTo(new Replay.Result(3, 2, 0, 0, 0, 1));
    assertThat(result.isComplete()).isFalse();
  }

  @Test
  void put_directoryMissing_throwsSoThatTheBatchComesAgain() {
    FileDeadLetters letters = new FileDeadLetters(directory.resolve("no/letters"));
    assertThatThrownBy(
            () -> letters.accept(List.of(new DeadLetter(insert("1", "key-1", "1"), "why"))))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("Could not write dead letters");
  }

  @Test
  void run_severalTimesAndLettersTwice_countsEachOnce() throws IOException {
    Path file = letters(insert("1", "key-1", "1000"), insert("2", "key-1", "2000"));
    new FileDeadLetters(file)
        .accept(List.of(new DeadLetter(insert("2", "key-1", "2000"), "came again")));

    assertThat(replay().run(new LetterSource.FileLetters(file), false))
        .isEqualTo(new Replay.Result(3, 2, 1, 0, 0, 0));
    assertThat(replay().run(new LetterSource.FileLetters(file), true))
        .isEqualTo(new Replay.Result(3, 0, 3, 0, 0, 0));
    assertThat(totalMilli("key-1")).isEqualTo(3_000);
    assertThat(Files.readAllLines(file)).isEmpty();
  }

  @Test
  void run_whatIsStillPoison_staysWhenTheOthersAreRemoved() throws IOException {
    Path file = letters(insert("1", "key-1", "1000"), insert("2", "key-1", "a text"));

    Replay.Result result = replay().run(new LetterSource.FileLetters(file), true);

    assertThat(result).isEqualTo(new Replay.Result(2, 1, 0, 0, 1, 0));
    assertThat(Files.readAllLines(file)).hasSize(1).first().asString().contains("a text");
  }

  private Replay replay() {
    return new Replay(Aggregator.builder(usage, letters -> {}).build());
  }

  private Path letters(StreamRecord... records) {
    Path file = directory.resolve("letters");
    for (StreamRecord record : records) {
      new FileDeadLetters(file).accept(List.of(new DeadLetter(record, "why")));
    }
    return file;
  }

  private long totalMilli(String entity) {
    return usage
        .find(List.of(UsageKey.at("default", entity, "gpt-4", Window.DAY, AT_MS)))
        .get(0)
        .milli("rpm");
  }

  private static StreamRecord insert(String number, String entity, String consumed) {
    String partition = "default/BUCKET#" + entity + "#gpt-4#0";
    return new StreamRecord(
        number,
        AT_MS,
        OperationType.INSERT,
        false,
        Map.of(),
        Map.of(),
        Map.of(
            "PK", AttributeValue.fromS(partition),
            "SK", AttributeValue.fromS("#STATE"),
            "entity_id", AttributeValue.fromS(entity),
            "resource", AttributeValue.fromS("gpt-4"),
            "b_rpm_tc",
                consumed.contains(" ")
                    ? AttributeValue.fromS(consumed)
                    : AttributeValue.fromN(consumed)));
  }
}
