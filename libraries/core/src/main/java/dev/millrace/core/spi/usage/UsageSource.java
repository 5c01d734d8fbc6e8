package dev.millrace.core.spi.usage;

import dev.millrace.BucketKey;

/**
 * The records of one bucket shard in one stream: what a stream keeps in order. A table that is
 * restored, or whose stream is switched off and on, has another stream, whose numbers say nothing
 * about those of the first.
 *
 * @param stream the label of the stream, {@link #UNNAMED} when it is not known
 * @param shard the bucket shard, or {@link UsageWrite#BEFORE_SHARDS}
 */
public record UsageSource(String stream, int shard) {
  /** Stands for the stream of marks from before marks named it, and of records that do not say. */
  public static final String UNNAMED = "";

  /** Longest label; those of DynamoDB are times of 23 characters. */
  public static final int MAX_STREAM_LENGTH = 64;

  /** Checks both. */
  public UsageSource {
    requireStream(stream);
    if (shard < UsageWrite.BEFORE_SHARDS || shard >= BucketKey.MAX_SHARDS) {
      throw new IllegalArgumentException("bucket shard " + shard + " does not exist");
    }
  }

  /** The label, if it is short enough to be in a mark. */
  static String requireStream(String stream) {
    if (stream.length() > MAX_STREAM_LENGTH) {
      throw new IllegalArgumentException(
          "the label of a stream has "
              + stream.length()
              + " characters, at most "
              + MAX_STREAM_LENGTH
              + " are allowed");
    }
    return stream;
  }
}
