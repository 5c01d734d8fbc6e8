package dev.millrace.core.spi.usage;

/**
 * The place of a record in the stream. Of two changes of one bucket shard the later one has the
 * higher number; numbers of different shards, or of different streams, tell nothing.
 *
 * <p>Up to forty digits, which is more than 64 bits and more than a number of DynamoDB holds.
 * Filled up with zeros, the order of the texts is the order of the numbers.
 *
 * @param digits forty of them
 */
public record SequenceNumber(String digits) implements Comparable<SequenceNumber> {
  /** How long they are. */
  public static final int LENGTH = 40;

  private static final String ZEROS = "0".repeat(LENGTH);

  /** Checks that it is as stored; {@link #of} makes one of what a stream says. */
  public SequenceNumber {
    if (digits.length() != LENGTH || !isNumber(digits)) {
      throw refused(digits);
    }
  }

  /** The number that a stream writes as {@code text}. */
  public static SequenceNumber of(String text) {
    if (text.isEmpty() || text.length() > LENGTH) {
      throw refused(text);
    }
    return new SequenceNumber(ZEROS.substring(text.length()) + text);
  }

  /** Whether it comes after {@code other}. */
  public boolean isAfter(SequenceNumber other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(SequenceNumber other) {
    return digits.compareTo(other.digits);
  }

  @Override
  public String toString() {
    return digits;
  }

  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
    }
    return true;
  }

  private static IllegalArgumentException refused(String text) {
    String shown = text.length() > LENGTH ? text.substring(0, LENGTH) + "…" : text;
    return new IllegalArgumentException(
        "sequence number '" + shown + "' must be 1 to " + LENGTH + " digits");
  }
}
