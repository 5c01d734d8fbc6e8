package dev.millrace.s3;

import dev.millrace.regions.internal.ledger.RegionNames;
import dev.millrace.regions.internal.snapshot.SnapshotFormat;

/**
 * The least privileges of a region: to write its own snapshot, and to read all. A process that may
 * write another region's snapshot could give away shares in its name.
 */
public final class ExchangePolicy {
  private ExchangePolicy() {}

  /** The IAM policy of {@code region} at {@code location}. */
  public static String of(S3Location location, String region) {
    String bucket = "arn:aws:s3:::" + location.bucket();
    String objects = bucket + "/" + location.prefix();
    return """
        {
          "Version": "2012-10-17",
          "Statement": [
            {"Effect": "Allow", "Action": "s3:PutObject",
             "Resource": "%s"},
            {"Effect": "Allow", "Action": "s3:GetObject",
             "Resource": "%s"},
            {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "%s"}
          ]
        }"""
        .formatted(
            objects + SnapshotFormat.objectName(RegionNames.require(region)),
            objects + "*" + SnapshotFormat.objectName("x").substring(1),
            bucket);
  }
}
