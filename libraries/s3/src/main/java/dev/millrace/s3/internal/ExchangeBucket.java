package dev.millrace.s3.internal;

import dev.millrace.regions.internal.ledger.RegionNames;
import dev.millrace.regions.internal.snapshot.SnapshotFormat;
import dev.millrace.s3.S3Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.GetBucketLifecycleConfigurationResponse;
import software.amazon.awssdk.services.s3.model.GetPublicAccessBlockResponse;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.PublicAccessBlockConfiguration;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.ServerSideEncryptionRule;

/**
 * The set-up of the bucket in which regions exchange snapshots. The existing configuration is read
 * first: settings that differ for a reason, such as a customer-managed key, stay, and repeating the
 * set-up changes nothing.
 *
 * <p>Snapshots themselves never expire: the last one of an evicted region is needed to evict it.
 * The lifecycle rule removes only remains: incomplete uploads and, where the bucket keeps versions,
 * replaced versions.
 */
public final class ExchangeBucket {
  /** The number of days after which remains are removed; S3 counts in days. */
  public static final int REMAINS_DAYS = 1;

  private static final int NOT_FOUND = 404;
  private static final int NOT_IMPLEMENTED = 501;

  /** The errors by which S3 reports that a part of a bucket's configuration has never been set. */
  private static final Set<String> NEVER_SET =
      Set.of(
          "ServerSideEncryptionConfigurationNotFoundError",
          "NoSuchPublicAccessBlockConfiguration",
          "NoSuchLifecycleConfiguration");

  private final S3Client client;
  private final S3Location location;
  private final String bucket;

  private ExchangeBucket(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
    this.bucket = location.bucket();
  }

  /** The result of one part of the set-up. */
  public enum Outcome {
    /** It was changed. */
    CHANGED,
    /** It was set up already. */
    WAS_SO,
    /** The server does not support it. */
    UNKNOWN_TO_SERVER
  }

  /** One part of the set-up. */
  public record Part(String name, Outcome outcome) {}

  /**
   * Sets up the bucket of {@code location}.
   *
   * @return the result of each part, in the order in which they were done
   * @throws software.amazon.awssdk.core.exception.SdkException when the server cannot be reached,
   *     or refuses; then it can be repeated
   */
  public static List<Part> setUp(S3Client client, S3Location location) {
    ExchangeBucket exchange = new ExchangeBucket(client, location);
    return List.of(
        new Part("bucket", outcome(exchange::create)),
        new Part("encryption", outcome(exchange::encrypt)),
        new Part("public access blocked", outcome(exchange::blockPublicAccess)),
        new Part("lifecycle", outcome(exchange::clearRemains)));
  }

  /**
   * The outcome of a part.
   *
   * @param part returns whether it had to be done
   */
  private static Outcome outcome(BooleanSupplier part) {
    try {
      return part.getAsBoolean() ? Outcome.CHANGED : Outcome.WAS_SO;
    } catch (S3Exception e) {
      if (e.statusCode() != NOT_IMPLEMENTED) {
        throw e;
      }
      return Outcome.UNKNOWN_TO_SERVER;
    }
  }

  /** The present configuration, null when it has never been set. */
  private static <C> @Nullable C present(Supplier<C> read) {
    try {
      return read.get();
    } catch (AwsServiceException e) {
      if (e.awsErrorDetails() != null && NEVER_SET.contains(e.awsErrorDetails().errorCode())) {
        return null;
      }
      throw e;
    }
  }

  private boolean create() {
    try {
      client.headBucket(b -> b.bucket(bucket));
      return false;
    } catch (S3Exception e) {
      if (e.statusCode() != NOT_FOUND) {
        throw e;
      }
    }
    try {
      client.createBucket(b -> b.bucket(bucket));
      return true;
    } catch (BucketAlreadyOwnedByYouException e) {
      return false; // another process was faster
    }
  }

  private boolean encrypt() {
    if (present(() -> client.getBucketEncryption(b -> b.bucket(bucket))) != null) {
      return false;
    }
    ServerSideEncryptionRule byDefault =
        ServerSideEncryptionRule.builder()
            .applyServerSideEncryptionByDefault(d -> d.sseAlgorithm(ServerSideEncryption.AES256))
            .build();
    client.putBucketEncryption(
        b -> b.bucket(bucket).serverSideEncryptionConfiguration(c -> c.rules(byDefault)));
    return true;
  }

  private boolean blockPublicAccess() {
    PublicAccessBlockConfiguration wanted =
        PublicAccessBlockConfiguration.builder()
            .blockPublicAcls(true)
            .blockPublicPolicy(true)
            .ignorePublicAcls(true)
            .restrictPublicBuckets(true)
            .build();
    GetPublicAccessBlockResponse found =
        present(() -> client.getPublicAccessBlock(b -> b.bucket(bucket)));
    if (found != null && wanted.equals(found.publicAccessBlockConfiguration())) {
      return false;
    }
    client.putPublicAccessBlock(b -> b.bucket(bucket).publicAccessBlockConfiguration(wanted));
    return true;
  }

  /** Existing rules stay; the added one has a name of its own for each location. */
  private boolean clearRemains() {
    LifecycleRule wanted =
        LifecycleRule.builder()
            .id("millrace-remains-" + location.prefix().replace('/', '-'))
            .status(ExpirationStatus.ENABLED)
            .filter(f -> f.prefix(location.prefix()))
            .abortIncompleteMultipartUpload(a -> a.daysAfterInitiation(REMAINS_DAYS))
            .noncurrentVersionExpiration(n -> n.noncurrentDays(REMAINS_DAYS))
            .build();
    GetBucketLifecycleConfigurationResponse found =
        present(() -> client.getBucketLifecycleConfiguration(b -> b.bucket(bucket)));
    List<LifecycleRule> rules = new ArrayList<>(found == null ? List.of() : found.rules());
    if (rules.contains(wanted)) {
      return false;
    }
    rules.removeIf(rule -> Objects.equals(rule.id(), wanted.id()));
    rules.add(wanted);
    client.putBucketLifecycleConfiguration(
        b -> b.bucket(bucket).lifecycleConfiguration(c -> c.rules(rules)));
    return true;
  }

  /**
   * The IAM policy of {@code region} at {@code location}, with the least privileges: to write its
   * own snapshot, and to read all. A process that may write another region's snapshot could give
   * away shares in its name.
   */
  public static String policy(S3Location location, String region) {
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
