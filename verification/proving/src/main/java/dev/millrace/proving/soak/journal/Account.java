package dev.millrace.proving.soak.journal;

/**
 * One limit of one bucket: what books are kept of.
 *
 * @param bucket entity and resource, as in {@code key-1/api}
 */
public record Account(String bucket, String limit) implements Comparable<Account> {
  /** Reads what {@link #toString} writes. */
  static Account parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException("'" + text + "' is not of the form bucket:limit");
    }
    return new Account(text.substring(0, colon), text.substring(colon + 1));
  }

  @Override
  public int compareTo(Account other) {
    int byBucket = bucket.compareTo(other.bucket);
    return byBucket != 0 ? byBucket : limit.compareTo(other.limit);
  }

  @Override
  public String toString() {
    return bucket + ":" + limit;
  }
}
