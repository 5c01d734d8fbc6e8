package dev.millrace.aggregator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.vectors.RecordedVectors;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * A comparison of the consumption read from stream records with the recorded facts, of which every
 * row is a modified item. The times differ: there it is the item's last refill, here the time of
 * the record.
 */
class DeltaVectorsTest {
  private static final long AT_MS = 1_800_000_000_000L;

  @Test
  void read_recordedChanges_sameDeltas() {
    int rows = 0;
    int deltas = 0;
    int poison = 0;
    for (JsonNode row : RecordedVectors.read("aggregator_deltas")) {
      Map<String, Long> expected = new HashMap<>();
      for (JsonNode delta : row.get("out_deltas")) {
        expected.put(
            String.join(
                " ",
                delta.get("namespace_id").asText(),
                delta.get("entity_id").asText(),
                delta.get("resource").asText(),
                delta.get("limit_name").asText()),
            delta.get("tokens_delta_milli").asLong());
      }
      RecordContent reading = RecordReader.read(record(row.get("record")));
      assertThat(deltas(reading)).as("row %s: %s", rows, reading).isEqualTo(expected);
      rows++;
      deltas += expected.size();
      poison += reading instanceof RecordContent.Poison ? 1 : 0;
    }
    assertThat(rows).isEqualTo(1_050);
    assertThat(deltas).isGreaterThan(1_500);
    assertThat(poison).as("rows with a part missing").isBetween(40, 120);
  }

  private static StreamRecord record(JsonNode record) {
    JsonNode change = record.get("dynamodb");
    return new StreamRecord(
        "1",
        AT_MS,
        OperationType.valueOf(record.get("eventName").asText()),
        false,
        Map.of(),
        RecordedImages.image(change.get("OldImage")),
        RecordedImages.image(change.get("NewImage")));
  }

  private static Map<String, Long> deltas(RecordContent reading) {
    Map<String, Long> deltas = new HashMap<>();
    if (reading instanceof RecordContent.Bucket bucket) {
      String prefix =
          String.join(
              " ", bucket.key().namespace(), bucket.key().entityId(), bucket.key().resource(), "");
      bucket.consumedMilli().forEach((limit, milli) -> deltas.put(prefix + limit, milli));
    }
    return deltas;
  }
}
