package dev.millrace.regions.internal.snapshot;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.millrace.Limit;
import dev.millrace.NameRules;
import dev.millrace.regions.EvictionSeal;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.RegionNames;
import dev.millrace.regions.internal.ledger.TransferRow;
import dev.millrace.regions.internal.ledger.TransferRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A parser that makes one pass over the text of a snapshot. */
final class SnapshotParser {
  private final JsonParser json;
  private final String expectedRegion;
  private final NumberedNames<String> resources = new NumberedNames<>();
  private final NumberedNames<Kind> kinds = new NumberedNames<>();
  private final NumberedNames<String> regions = new NumberedNames<>();

  private record Kind(String limit, long capacityMilli) {}

  /** The receiver of the rows of one pass. */
  interface Rows {
    void row(SnapshotHeader header, SnapshotRow row) throws IOException;
  }

  SnapshotParser(JsonParser json, String expectedRegion) {
    this.json = json;
    this.expectedRegion = expectedRegion;
  }

  SnapshotHeader parse(Rows rows) throws IOException {
    expect(JsonToken.START_OBJECT);
    // The version comes first and decides whether the following can be understood.
    long version = numberField("version");
    if (version > SnapshotFormat.VERSION) {
      throw new RefusedException(
          SnapshotRefusal.NEWER_VERSION,
          "version " + version + ", supported is up to " + SnapshotFormat.VERSION);
    }
    if (version < 1) {
      throw malformed("version " + version);
    }
    field("region");
    String region = text();
    if (!region.equals(expectedRegion)) {
      throw new RefusedException(
          SnapshotRefusal.WRONG_REGION,
          "it is of '" + region + "', not of '" + expectedRegion + "'");
    }
    SnapshotHeader header = header(region);
    field("entities");
    expect(JsonToken.START_ARRAY);
    int count = 0;
    while (json.nextToken() == JsonToken.START_ARRAY) { // ends with the text, which is bounded
      count += entity(header, rows, header.count() - count);
    }
    require(JsonToken.END_ARRAY);
    if (count != header.count()) {
      throw new RefusedException(
          SnapshotRefusal.TRUNCATED, "it has " + count + " rows of " + header.count());
    }
    expect(JsonToken.END_OBJECT);
    if (json.nextToken() != null) {
      throw malformed("something follows the end");
    }
    return header;
  }

  private SnapshotHeader header(String region) throws IOException {
    long sequence = notNegative("sequence", numberField("sequence"));
    long writtenAtMs = numberField("writtenAtMs");
    long windowMs = notNegative("window", numberField("windowMs"));
    List<EvictionSeal> seals = seals();
    long count = notNegative("count", numberField("count"));
    if (count > SnapshotFormat.MAX_ROWS) {
      throw new RefusedException(
          SnapshotRefusal.TOO_LARGE,
          count + " rows, at most " + SnapshotFormat.MAX_ROWS + " are read");
    }
    try {
      return new SnapshotHeader(region, sequence, writtenAtMs, windowMs, seals, (int) count);
    } catch (IllegalArgumentException e) {
      throw malformed(e.getMessage());
    }
  }

  private List<EvictionSeal> seals() throws IOException {
    field("seals");
    expect(JsonToken.START_ARRAY);
    List<EvictionSeal> seals = new ArrayList<>();
    while (json.nextToken() == JsonToken.START_ARRAY) {
      if (seals.size() == SnapshotFormat.MAX_SEALS) {
        throw new RefusedException(SnapshotRefusal.TOO_LARGE, "seals: more than " + seals.size());
      }
      List<String> dead = regionNames();
      List<String> survivors = regionNames();
      expect(JsonToken.END_ARRAY);
      try {
        seals.add(new EvictionSeal(dead, survivors));
      } catch (IllegalArgumentException e) {
        throw malformed(e.getMessage());
      }
    }
    require(JsonToken.END_ARRAY);
    return seals;
  }

  private List<String> regionNames() throws IOException {
    expect(JsonToken.START_ARRAY);
    List<String> names = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      if (names.size() == RegionNames.MAX_REGIONS) {
        throw new RefusedException(SnapshotRefusal.TOO_LARGE, "regions: more than " + names.size());
      }
      names.add(json.getText());
    }
    require(JsonToken.END_ARRAY);
    return names;
  }

  /** Reads one group and passes it on; returns its number of rows. */
  private int entity(SnapshotHeader header, Rows rows, int atMost) throws IOException {
    String entity = text();
    List<String> resource = resources();
    int size = resource.size();
    if (size > atMost) {
      throw malformed("it has more than " + header.count() + " rows");
    }
    List<Kind> kind = kinds(size);
    long[] consumed = column(size);
    long[] consumedRest = column(size);
    long[] tokens = column(size);
    long[] share = column(size);
    long[] refused = column(size);
    List<TransferRows> dealings = transfers(size);
    expect(JsonToken.END_ARRAY);
    for (int i = 0; i < size; i++) {
      notNegative("share", share[i]);
      notNegative("refused", refused[i]);
      try {
        rows.row(
            header,
            new SnapshotRow(
                new LimitKey(entity, resource.get(i), kind.get(i).limit()),
                consumedMilli(consumed[i], consumedRest[i]),
                tokens[i],
                kind.get(i).capacityMilli(),
                Math.toIntExact(share[i]),
                refused[i],
                dealings.get(i)));
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw malformed(e.getMessage());
      }
    }
    return size;
  }

  private static long consumedMilli(long tokens, long restMilli) throws RefusedException {
    if (restMilli < 0 || restMilli >= Limit.MILLI) {
      throw malformed("remainder " + restMilli + " must be from 0 to 999");
    }
    return Math.addExact(Math.multiplyExact(tokens, Limit.MILLI), restMilli);
  }

  private List<String> resources() throws IOException {
    expect(JsonToken.START_ARRAY);
    List<String> names = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (names.size() == SnapshotFormat.MAX_GROUP) {
        throw new RefusedException(
            SnapshotRefusal.TOO_LARGE, "more than " + names.size() + " rows stand together");
      }
      names.add(
          json.currentToken() == JsonToken.VALUE_STRING
              ? resources.define(checked(NameRules::requireResource))
              : resources.at(number()));
    }
    return names;
  }

  private List<Kind> kinds(int size) throws IOException {
    expect(JsonToken.START_ARRAY);
    List<Kind> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (json.nextToken() == JsonToken.START_ARRAY) {
        json.nextToken();
        String limit = checked(NameRules::requireLimitName);
        json.nextToken();
        all.add(kinds.define(new Kind(limit, notNegative("capacity", number()))));
        expect(JsonToken.END_ARRAY);
      } else {
        all.add(kinds.at(number()));
      }
    }
    expect(JsonToken.END_ARRAY);
    return all;
  }

  /** An empty column is zero in all rows. */
  private long[] column(int size) throws IOException {
    expect(JsonToken.START_ARRAY);
    long[] numbers = new long[size];
    if (json.nextToken() == JsonToken.END_ARRAY) {
      return numbers;
    }
    for (int i = 0; i < size; i++) {
      numbers[i] = number();
      json.nextToken();
    }
    require(JsonToken.END_ARRAY);
    return numbers;
  }

  private List<TransferRows> transfers(int size) throws IOException {
    expect(JsonToken.START_ARRAY);
    List<TreeMap<String, TransferRow>> gave = new ArrayList<>(size);
    List<TreeMap<String, TransferRow>> got = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      gave.add(new TreeMap<>());
      got.add(new TreeMap<>());
    }
    int left = size * 2 * RegionNames.MAX_REGIONS;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (left-- == 0) {
        throw malformed("more transfers than regions");
      }
      long index = number();
      json.nextToken();
      long kind = number();
      json.nextToken();
      String region =
          json.currentToken() == JsonToken.VALUE_STRING
              ? regions.define(checked(RegionNames::require))
              : regions.at(number());
      json.nextToken();
      long ppm = notNegative("row", number());
      json.nextToken();
      long milli = notNegative("row", number());
      if (index < 0
          || index >= size
          || (kind != SnapshotFormat.GAVE && kind != SnapshotFormat.GOT)) {
        throw malformed("transfer " + index + " of kind " + kind);
      }
      List<TreeMap<String, TransferRow>> rows = kind == SnapshotFormat.GAVE ? gave : got;
      if (rows.get((int) index).put(region, new TransferRow(ppm, milli)) != null) {
        throw malformed("transfer with '" + region + "' is given twice");
      }
    }
    List<TransferRows> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(
          gave.get(i).isEmpty() && got.get(i).isEmpty()
              ? TransferRows.NONE
              : new TransferRows(gave.get(i), got.get(i)));
    }
    return all;
  }

  /** A rule for names. */
  private interface Rule {
    String require(String name);
  }

  private String checked(Rule rule) throws IOException {
    require(JsonToken.VALUE_STRING);
    try {
      return rule.require(json.getText());
    } catch (IllegalArgumentException e) {
      throw malformed(e.getMessage());
    }
  }

  private void field(String name) throws IOException {
    expect(JsonToken.FIELD_NAME);
    if (!json.currentName().equals(name)) {
      throw malformed("'" + json.currentName() + "' stands where '" + name + "' should");
    }
  }

  private long numberField(String name) throws IOException {
    field(name);
    json.nextToken();
    return number();
  }

  private String text() throws IOException {
    expect(JsonToken.VALUE_STRING);
    return json.getText();
  }

  private long number() throws IOException {
    require(JsonToken.VALUE_NUMBER_INT);
    return json.getLongValue();
  }

  private void expect(JsonToken token) throws IOException {
    json.nextToken();
    require(token);
  }

  private void require(JsonToken token) throws IOException {
    JsonToken found = json.currentToken();
    if (found == null) {
      throw new RefusedException(SnapshotRefusal.TRUNCATED, "it ends too early");
    }
    if (found != token) {
      throw malformed(found + " stands where " + token + " should");
    }
  }

  private static long notNegative(String what, long number) throws RefusedException {
    if (number < 0) {
      throw new RefusedException(SnapshotRefusal.NEGATIVE, what + " " + number + " is negative");
    }
    return number;
  }

  private static RefusedException malformed(@Nullable String message) {
    return new RefusedException(SnapshotRefusal.MALFORMED, String.valueOf(message));
  }

  /**
   * The names already read in full, by number; the reader's side of {@link
   * SnapshotWriter.NameNumbers}.
   */
  private static final class NumberedNames<T> {
    private final List<T> values = new ArrayList<>();

    T define(T value) {
      if (values.size() < SnapshotFormat.MAX_NUMBERED) {
        values.add(value);
      }
      return value;
    }

    T at(long number) throws RefusedException {
      if (number < 0 || number >= values.size()) {
        throw new RefusedException(
            SnapshotRefusal.MALFORMED,
            "number " + number + " is not defined; " + values.size() + " are");
      }
      return values.get((int) number);
    }
  }

  /** A signal that ends the reading of a snapshot; becomes a value before it leaves the package. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final SnapshotRefusal refusal;

    RefusedException(SnapshotRefusal refusal, String message) {
      super(message);
      this.refusal = refusal;
    }

    SnapshotRefusal refusal() {
      return refusal;
    }
  }
}
