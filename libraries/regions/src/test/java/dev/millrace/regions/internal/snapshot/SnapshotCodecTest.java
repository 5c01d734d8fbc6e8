package dev.millrace.regions.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.regions.EvictionSeal;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.TransferRow;
import dev.millrace.regions.internal.ledger.TransferRows;
import dev.millrace.testkit.internal.generator.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnapshotCodecTest {
  /** The example of docs/guide/regions.md. */
  private static final String TEXT =
      "{\"version\":1,\"region\":\"eu\",\"sequence\":17,\"writtenAtMs\":1800000000000,"
          + "\"windowMs\":10000,\"seals\":[[[\"ap\"],[\"eu\",\"us\"]]],\"count\":3,\"entities\":["
          + "[\"key-1\",[\"gpt-4\",0],[[\"rpm\",6000000],[\"tpm\",90000000]],"
          + "[1250,480],[0,250],[-5000,44000000],[500000,600000],[],"
          + "[0,0,\"us\",100000,5000,1,1,0,100000,7]],"
          + "[\"key-2\",[0],[0],[9],[],[3000000],[500000],[2],[]]]}";

  @Test
  void write_example_isTheTextOfTheDocument() throws IOException {
    EncodedSnapshot snapshot = EncodedSnapshot.of(header(3), rows());
    assertThat(text(snapshot)).isEqualTo(TEXT);
    assertThat(snapshot.sha256()).isEqualTo(sha256(TEXT));
  }

  @Test
  void read_example_isWhatWasWritten() throws IOException {
    Collected sink = new Collected();
    SnapshotReadResult reading = read(TEXT, sink);
    assertThat(reading).isEqualTo(new SnapshotReadResult.Accepted(header(3), TEXT.length()));
    assertThat(sink.header).isEqualTo(header(3));
    assertThat(sink.rows).isEqualTo(rows());
  }

  @Test
  void readAndWrite_anyRows_roundTrip() {
    Seeds.forEach(
        200,
        (random, seed) -> {
          List<SnapshotRow> rows = new ArrayList<>();
          int count = random.nextInt(60);
          for (int i = 0; i < count; i++) {
            rows.add(row(random, i));
          }
          SnapshotHeader header = new SnapshotHeader("eu", seed, 5, 10_000, List.of(), count);
          EncodedSnapshot snapshot = EncodedSnapshot.of(header, rows);
          Collected sink = new Collected();
          assertThat(SnapshotReader.read("eu", snapshot, sink))
              .isInstanceOf(SnapshotReadResult.Accepted.class);
          assertThat(sink.rows).isEqualTo(rows);
        });
  }

  @Test
  void read_moreNamesThanAreNumbered_roundTrips() throws IOException {
    List<SnapshotRow> rows = new ArrayList<>();
    for (int i = 0; i < 2 * (SnapshotFormat.MAX_NUMBERED + 5); i++) {
      int kind = i % (SnapshotFormat.MAX_NUMBERED + 5);
      rows.add(
          new SnapshotRow(
              new LimitKey("e" + i / 700, "r" + kind, "rpm"), i, i, kind, 1, 0, TransferRows.NONE));
    }
    SnapshotHeader header = new SnapshotHeader("eu", 1, 5, 10_000, List.of(), rows.size());
    EncodedSnapshot snapshot = EncodedSnapshot.of(header, rows);
    Collected sink = new Collected();
    SnapshotReader.read("eu", snapshot, sink);
    assertThat(sink.rows.equals(rows)).isTrue();
  }

  @Test
  void read_newerVersion_isRefusedWhateverElseItHas() throws IOException {
    assertRefused("{\"version\":2,\"shape\":[[[[[[[1]]]]]]]}", SnapshotRefusal.NEWER_VERSION);
    assertRefused(TEXT.replace("\"version\":1", "\"version\":0"), SnapshotRefusal.MALFORMED);
  }

  @Test
  void read_snapshotOfAnotherRegion_isRefused() throws IOException {
    assertRefused(
        TEXT.replace("\"region\":\"eu\"", "\"region\":\"us\""), SnapshotRefusal.WRONG_REGION);
  }

  @Test
  void read_wrongChecksum_isRefused() throws IOException {
    Collected sink = new Collected();
    EncodedSnapshot snapshot = EncodedSnapshot.of(header(3), rows());
    assertThat(
            refusal(
                SnapshotReader.read(
                    "eu", new EncodedSnapshot(snapshot.toByteArray(), sha256("other")), sink)))
        .isEqualTo(SnapshotRefusal.WRONG_CHECKSUM);
    assertThat(sink.isUntouched()).isTrue();
  }

  @Test
  void read_truncatedAnywhere_isRefusedAndChangesNothing() throws IOException {
    byte[] bytes = EncodedSnapshot.of(header(3), rows()).toByteArray();
    for (int length = 0; length < bytes.length; length++) {
      Collected sink = new Collected();
      EncodedSnapshot cut = new EncodedSnapshot(Arrays.copyOf(bytes, length), sha256(TEXT));
      assertThat(refusal(SnapshotReader.read("eu", cut, sink)))
          .as("the first %s bytes", length)
          .isEqualTo(SnapshotRefusal.TRUNCATED);
      assertThat(sink.isUntouched()).isTrue();
    }
    for (int length = 1; length < TEXT.length(); length++) {
      assertThat(refusal(read(TEXT.substring(0, length), new Collected())))
          .isIn(SnapshotRefusal.TRUNCATED, SnapshotRefusal.MALFORMED);
    }
    assertRefused(TEXT.replace("\"count\":3", "\"count\":4"), SnapshotRefusal.TRUNCATED);
  }

  @Test
  void read_anyBitFlipped_isRefused() throws IOException {
    byte[] bytes = EncodedSnapshot.of(header(3), rows()).toByteArray();
    int harmless = 0;
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      Collected sink = new Collected();
      SnapshotReadResult reading =
          SnapshotReader.read("eu", new EncodedSnapshot(flipped, sha256(TEXT)), sink);
      // Some bits, as the time in gzip's own header, say nothing about the text.
      if (reading instanceof SnapshotReadResult.Accepted) {
        harmless++;
        assertThat(sink.rows).isEqualTo(rows());
      } else {
        assertThat(sink.isUntouched()).isTrue();
      }
    }
    assertThat(harmless).isLessThan(80);
  }

  @Test
  void read_negativeNumbers_areRefused() throws IOException {
    assertRefused(TEXT.replace("100000,5000", "-100000,5000"), SnapshotRefusal.NEGATIVE);
    assertRefused(TEXT.replace("100000,5000", "100000,-5000"), SnapshotRefusal.NEGATIVE);
    assertRefused(TEXT.replace("[500000,600000]", "[500000,-1]"), SnapshotRefusal.NEGATIVE);
    assertRefused(TEXT.replace("\"sequence\":17", "\"sequence\":-17"), SnapshotRefusal.NEGATIVE);
    assertRefused(TEXT.replace("6000000", "-1"), SnapshotRefusal.NEGATIVE);
  }

  @Test
  void read_shrunkRow_isRefusedAsAWhole() throws IOException {
    Collected sink = new Collected();
    sink.shrunk = rows().get(2).key();
    assertThat(refusal(read(TEXT, sink))).isEqualTo(SnapshotRefusal.SHRUNK);
    assertThat(sink.isUntouched()).isTrue();
  }

  @Test
  void read_beyondSize_isRefusedBeforeItIsHeld() throws IOException {
    assertRefused(TEXT.replace("\"count\":3", "\"count\":4000001"), SnapshotRefusal.TOO_LARGE);
    assertRefused(TEXT.replace("key-2", "k".repeat(300)), SnapshotRefusal.TOO_LARGE);
    assertRefused(TEXT.replace("3000000]", "3" + "0".repeat(30) + "]"), SnapshotRefusal.TOO_LARGE);
    // A bomb: small on the wire, endless unpacked.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      byte[] blanks = new byte[1 << 20];
      Arrays.fill(blanks, (byte) ' ');
      for (int i = 0; i <= SnapshotFormat.MAX_RAW_BYTES >> 20; i++) {
        gzip.write(blanks);
      }
    }
    EncodedSnapshot bomb = new EncodedSnapshot(bytes.toByteArray(), "");
    assertThat(refusal(SnapshotReader.read("eu", bomb, new Collected())))
        .isEqualTo(SnapshotRefusal.TOO_LARGE);
  }

  @Test
  void read_anythingElse_isMalformed() throws IOException {
    for (String text :
        new String[] {
          "[]",
          "{\"region\":\"eu\"}",
          "{\"version\":\"1\"}",
          TEXT + " {}",
          TEXT.replace("[0],[0]", "[7],[0]"),
          TEXT.replace("\"gpt-4\"", "\"#\""),
          TEXT.replace("\"rpm\"", "\"wcu\""),
          TEXT.replace("\"us\",100000", "\"US\",100000"),
          TEXT.replace("[500000,600000]", "[500000,1000001]"),
          TEXT.replace("[500000,600000]", "[500000]"),
          TEXT.replace("[1250,480]", "[1250,480,1]"),
          TEXT.replace("[1250,480]", "[1250,4.5]"),
          TEXT.replace("[0,250]", "[0,1000]"),
          TEXT.replace("[1250,480]", "[1250,9223372036854775807]"),
          TEXT.replace("[0,0,\"us\"", "[9,0,\"us\""),
          TEXT.replace("1,1,0,100000,7", "0,0,0,100000,7"),
          TEXT.replace("\"count\":3", "\"count\":2"),
          TEXT.replace("[\"ap\"]", "[]"),
          TEXT.replace("[2],[]", "[[[[[2]]]]],[]"),
        }) {
      assertRefused(text, SnapshotRefusal.MALFORMED);
    }
    Collected sink = new Collected();
    EncodedSnapshot plain =
        new EncodedSnapshot(TEXT.getBytes(StandardCharsets.UTF_8), sha256(TEXT));
    assertThat(refusal(SnapshotReader.read("eu", plain, sink)))
        .isEqualTo(SnapshotRefusal.MALFORMED);
  }

  @Test
  void end_otherNumberOfRowsThanTold_throws() throws IOException {
    SnapshotWriter writer = SnapshotWriter.begin(header(2), new ByteArrayOutputStream());
    writer.add(rows().get(0));
    assertThatThrownBy(writer::end).hasMessage("rows: 1 were added of 2");
  }

  private static void assertRefused(String text, SnapshotRefusal refusal) throws IOException {
    Collected sink = new Collected();
    SnapshotReadResult reading = read(text, sink);
    assertThat(reading).as(text).isInstanceOf(SnapshotReadResult.Refused.class);
    assertThat(refusal(reading)).as("%s: %s", reading, text).isEqualTo(refusal);
    assertThat(sink.isUntouched()).isTrue();
  }

  private static SnapshotRefusal refusal(SnapshotReadResult reading) {
    return ((SnapshotReadResult.Refused) reading).refusal();
  }

  private static SnapshotReadResult read(String text, SnapshotSink sink) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return SnapshotReader.read("eu", new EncodedSnapshot(bytes.toByteArray(), sha256(text)), sink);
  }

  private static String text(EncodedSnapshot snapshot) throws IOException {
    return new String(new GZIPInputStream(snapshot.open()).readAllBytes(), StandardCharsets.UTF_8);
  }

  private static String sha256(String text) {
    return HexFormat.of()
        .formatHex(EncodedSnapshot.digest().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static SnapshotHeader header(int count) {
    return new SnapshotHeader(
        "eu",
        17,
        1_800_000_000_000L,
        10_000,
        List.of(EvictionSeal.of(List.of("ap"), List.of("eu", "us"))),
        count);
  }

  private static List<SnapshotRow> rows() {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    gave.put("us", new TransferRow(100_000, 5_000));
    TreeMap<String, TransferRow> got = new TreeMap<>();
    got.put("us", new TransferRow(100_000, 7));
    return List.of(
        new SnapshotRow(
            new LimitKey("key-1", "gpt-4", "rpm"),
            1_250_000,
            -5_000,
            6_000_000,
            500_000,
            0,
            new TransferRows(gave, new TreeMap<>())),
        new SnapshotRow(
            new LimitKey("key-1", "gpt-4", "tpm"),
            480_250,
            44_000_000,
            90_000_000,
            600_000,
            0,
            new TransferRows(new TreeMap<>(), got)),
        new SnapshotRow(
            new LimitKey("key-2", "gpt-4", "rpm"),
            9_000,
            3_000_000,
            6_000_000,
            500_000,
            2,
            TransferRows.NONE));
  }

  private static SnapshotRow row(RandomGenerator random, int index) {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    if (random.nextBoolean()) {
      gave.put(
          "r" + random.nextInt(5), new TransferRow(random.nextInt(100), random.nextLong(1L << 60)));
    }
    return new SnapshotRow(
        new LimitKey("e" + index / 7, "res" + random.nextInt(4), "l" + random.nextInt(3)),
        random.nextLong(),
        random.nextLong(),
        random.nextInt(3),
        random.nextInt(1_000_001),
        random.nextInt(2),
        new TransferRows(gave, new TreeMap<>()));
  }

  private static final class Collected implements SnapshotSink {
    private @Nullable SnapshotHeader header;
    private @Nullable LimitKey shrunk;
    private final List<SnapshotRow> rows = new ArrayList<>();

    boolean isUntouched() {
      return header == null && rows.isEmpty();
    }

    @Override
    public boolean isShrunk(SnapshotHeader ofRow, SnapshotRow row) {
      return row.key().equals(shrunk);
    }

    @Override
    public void header(SnapshotHeader told) {
      header = told;
    }

    @Override
    public void row(SnapshotHeader ofRow, SnapshotRow row) {
      rows.add(row);
    }
  }
}
