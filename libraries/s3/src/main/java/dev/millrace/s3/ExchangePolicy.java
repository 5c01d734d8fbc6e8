package dev.millrace.s3;

import dev.millrace.regions.ledger.RegionNames;
import dev.millrace.regions.snapshot.SnapshotFormat;

/**
 * The least that a region must be allowed: to write its own snapshot, and to read all. Who may
 * write another region's could give in its name.
 */
public final class ExchangePolicy {
  private ExchangePolicy() {}

  /** The policy of {@code region} at {@code location}, as IAM reads it. */
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
