package dev.millrace.dynamodb.internal.query;

import dev.millrace.dynamodb.internal.schema.Attributes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An opaque page cursor.
 *
 * <p>It has the key of the last item, without the partition that the listing names itself: so one
 * of another listing could not lead out of this one, whatever is in it. A checksum over itself and
 * the listing detects one of another listing, and one that was cut or mangled.
 */
public final class Cursor {
  private Cursor() {}

  /** The cursor of the page that ended with {@code lastKey}, null when it was the last one. */
  public static @Nullable String after(ListingPlan plan, Map<String, AttributeValue> lastKey) {
    return lastKey.isEmpty() ? null : format(plan, lastKey);
  }

  static String format(ListingPlan plan, Map<String, AttributeValue> lastKey) {
    List<String> parts = new ArrayList<>();
    for (String attribute : attributes(plan)) {
      AttributeValue value = lastKey.get(attribute);
      if (value == null || value.s() == null) {
        throw new IllegalStateException("a page ended without " + attribute + ": " + lastKey);
      }
      parts.add(value.s());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(checksum(plan, parts));
      for (String part : parts) {
        out.writeUTF(part);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not in memory
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  /**
   * The key after which the next page begins.
   *
   * @throws IllegalArgumentException when {@code cursor} is not one of the listing
   */
  static Map<String, AttributeValue> parse(ListingPlan plan, String cursor) {
    List<String> parts = new ArrayList<>();
    boolean isOurs;
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Base64.getUrlDecoder().decode(cursor)))) {
      int checksum = in.readInt();
      for (int i = 0; i < attributes(plan).size(); i++) {
        parts.add(in.readUTF());
      }
      isOurs = in.read() < 0 && checksum == checksum(plan, parts);
    } catch (IOException | IllegalArgumentException e) { // it ended early, or is no Base64
      throw refused(cursor, e);
    }
    if (!isOurs || (plan instanceof ListingPlan.Query q && !q.sort().contains(parts.get(0)))) {
      throw refused(cursor, null);
    }
    return key(plan, parts);
  }

  private static Map<String, AttributeValue> key(ListingPlan plan, List<String> parts) {
    Map<String, AttributeValue> key = new HashMap<>();
    List<String> attributes = attributes(plan);
    for (int i = 0; i < parts.size(); i++) {
      key.put(attributes.get(i), AttributeValue.fromS(parts.get(i)));
    }
    if (plan instanceof ListingPlan.Query query) {
      String partitionKey = query.index() == null ? Attributes.PK : query.index().partitionKey();
      key.put(partitionKey, AttributeValue.fromS(query.partition()));
    }
    return key;
  }

  /** What of a key is not in the listing itself; of a query the sort key first. */
  private static List<String> attributes(ListingPlan plan) {
    if (plan instanceof ListingPlan.Query query) {
      return query.index() == null
          ? List.of(Attributes.SK)
          : List.of(query.index().sortKey(), Attributes.PK, Attributes.SK);
    }
    return List.of(Attributes.PK, Attributes.SK);
  }

  private static int checksum(ListingPlan plan, List<String> parts) {
    CRC32 crc = new CRC32();
    crc.update(plan.identity().getBytes(StandardCharsets.UTF_8));
    for (String part : parts) {
      crc.update(0);
      crc.update(part.getBytes(StandardCharsets.UTF_8));
    }
    return (int) crc.getValue();
  }

  private static IllegalArgumentException refused(String cursor, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "cursor '" + cursor + "' is none, or one of another listing", cause);
  }
}
