package dev.millrace.vectors;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;

/** The recorded vectors: inputs and what the Python original made of them, as JSON. */
public final class RecordedVectors {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private RecordedVectors() {}

  /** Reads the vectors {@code name}; a missing file is a failure, never a reason to skip. */
  public static JsonNode read(String name) {
    String file = name + ".json.gz";
    try (InputStream packed = RecordedVectors.class.getResourceAsStream(file)) {
      if (packed == null) {
        throw new IllegalArgumentException("there are no vectors '" + name + "'");
      }
      return JSON.readTree(new GZIPInputStream(packed));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
