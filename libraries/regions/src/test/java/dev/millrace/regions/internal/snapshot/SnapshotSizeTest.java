package dev.millrace.regions.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.TransferRow;
import dev.millrace.regions.internal.ledger.TransferRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * 2,000 entities, 10 resources each, two limits each. What was consumed spans four orders of
 * magnitude, balances have all their digits, and one pair in fifty has exchanged shares.
 */
class SnapshotSizeTest {
  private static final int ENTITIES = 2_000;
  private static final int RESOURCES = 10;
  private static final long MOST_RAW = 2_500_000;
  private static final long MOST_GZIPPED = 300_000;

  @Test
  void encode_twoThousandEntities_isSmall() throws IOException {
    List<SnapshotRow> rows = rows();
    SnapshotHeader header =
        new SnapshotHeader("eu-west-1", 1, 1_800_000_000_000L, 10_000, List.of(), rows.size());
    EncodedSnapshot snapshot = EncodedSnapshot.of(header, rows);
    PeerView peers = new PeerView();
    SnapshotReadResult reading =
        SnapshotReader.read("eu-west-1", snapshot, new SnapshotSink.PeerSink(peers, 0));

    SnapshotReadResult.Accepted accepted = (SnapshotReadResult.Accepted) reading;
    assertThat(accepted.rawBytes()).isLessThanOrEqualTo(MOST_RAW);
    assertThat(snapshot.size()).isLessThanOrEqualTo((int) MOST_GZIPPED);
    assertThat(peers.size()).isEqualTo(ENTITIES * RESOURCES * 2);
  }

  private static List<SnapshotRow> rows() {
    SplittableRandom random = new SplittableRandom(42);
    List<SnapshotRow> rows = new ArrayList<>();
    for (int entity = 0; entity < ENTITIES; entity++) {
      String name = "key-%08x".formatted(random.nextInt());
      for (int resource = 0; resource < RESOURCES; resource++) {
        long requests = (long) Math.pow(10, 1 + 4 * random.nextDouble());
        long tokens = requests * random.nextInt(200, 900);
        boolean exchanged = random.nextInt(50) == 0;
        rows.add(row(name, resource, "rpm", 600, requests, exchanged, random));
        rows.add(row(name, resource, "tpm", 100_000, tokens, exchanged, random));
      }
    }
    return rows;
  }

  private static SnapshotRow row(
      String entity,
      int resource,
      String limit,
      long capacity,
      long consumed,
      boolean exchanged,
      SplittableRandom random) {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    int share = 333_333;
    if (exchanged) {
      int ppm = random.nextInt(5_000, 300_000);
      gave.put("us-east-1", new TransferRow(ppm, random.nextLong(capacity * 1_000)));
      share -= ppm;
    }
    return new SnapshotRow(
        new LimitKey(entity, "model-" + resource, limit),
        consumed * 1_000,
        random.nextLong(capacity * 1_000 / 3),
        capacity * 1_000,
        share,
        0,
        new TransferRows(gave, new TreeMap<>()));
  }
}
