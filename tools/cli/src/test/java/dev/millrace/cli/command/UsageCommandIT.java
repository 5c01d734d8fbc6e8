package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class UsageCommandIT {
  private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");
  private static OnTable on;

  @BeforeAll
  static void counted() {
    on = OnTable.create("cli-usage");
    try (DynamoDbClient client = on.client()) {
      UsageStore usage = DynamoUsageStore.of(client, on.table());
      for (int hour = 0; hour < 3; hour++) {
        add(usage, "a", hour, 1_000L * (hour + 1));
        add(usage, "b", hour, 10_000L);
      }
    }
  }

  private static void add(UsageStore usage, String entity, int hour, long milli) {
    long atMs = DAY.toEpochMilli() + hour * 3_600_000L;
    SequenceNumber number = SequenceNumber.of(String.valueOf(hour + 1));
    UsageReply reply =
        usage.apply(
            new UsageWrite(
                UsageKey.at("default", entity, "gpt", Window.HOUR, atMs),
                Map.of("tpm", milli, "rpm", 1_000L),
                1,
                new UsageWrite.InOrder(Map.of(0, new UsageWrite.Run(number, number))),
                UsageWrite.NEVER));
    assertThat(reply).isInstanceOf(UsageReply.Applied.class);
  }

  private static String[] list(String... more) {
    String[] args = {
      "usage", "list", "-e", "a", "-r", "gpt", "--from", "2026-03-01", "--to", "2026-03-02"
    };
    String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return all;
  }

  @Test
  void list_isBarsForPeopleAndNumbersForMachines() {
    assertThat(on.done(list()))
        .contains("START", "2026-03-01T02:00:00Z", "tpm", "███")
        .doesNotContain("No usage");
    assertThat(on.lines(list()))
        .extracting(piece -> piece.at("/totalMilli/tpm").asLong())
        .containsExactly(1_000L, 2_000L, 3_000L);
    assertThat(on.done("usage", "list", "-e", "a", "-r", "gpt")).contains("No usage is counted");
  }

  @Test
  void plot_isAnSvgWithABarForEveryPiece(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("usage.svg");

    assertThat(on.done(list("--plot", file.toString()))).contains("drawn in " + file);

    Document svg =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(file));
    assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg.getElementsByTagName("title").getLength()).isEqualTo(6);
    assertThat(Files.readString(file)).contains("a on gpt by hour", "2026-03-01 02:00 UTC: 3<");
    assertThat(on.run(list("--plot", directory.resolve("no/such.svg").toString())).err())
        .contains("cannot be written", "directory that exists");
  }

  @Test
  void summary_addsUp() {
    JsonNode own =
        on.json(
            "usage",
            "summary",
            "-e",
            "a",
            "-r",
            "gpt",
            "--from",
            "2026-03-01",
            "--to",
            "2026-03-02");
    assertThat(own.at("/pieces").asInt()).isEqualTo(3);
    assertThat(own.at("/limits/tpm/totalMilli").asLong()).isEqualTo(6_000);
    assertThat(own.at("/limits/tpm/peakStart").asText()).isEqualTo("2026-03-01T02:00:00Z");
    assertThat(on.done("usage", "summary", "-r", "gpt", "--from", "2026-03-01T01:30:00Z"))
        .contains("2 pieces", "tpm", "12", "PEAK OF", "b");
    assertThat(on.done("usage", "summary", "-r", "other")).contains("No usage is counted");
  }

  @Test
  void top_isTheMostFirst() {
    List<JsonNode> top =
        on.lines("usage", "top", "-r", "gpt", "-l", "tpm", "--at", "2026-03-01T02:30:00Z");
    assertThat(top).extracting(usage -> usage.at("/entity").asText()).containsExactly("b", "a");
    assertThat(on.done("usage", "top", "-r", "gpt", "-l", "tpm", "--at", "2026-03-01T02:30:00Z"))
        .contains("ENTITY", "██████████████████████████████", "█████████·····");
    assertThat(on.done("usage", "top", "-r", "gpt", "-l", "tpm")).contains("Nobody used any");
    assertThat(on.fails(2, "usage", "top", "-r", "gpt", "-l", "tpm", "--window", "week"))
        .contains("week");
  }
}
