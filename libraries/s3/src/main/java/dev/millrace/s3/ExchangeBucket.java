package dev.millrace.s3;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
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
  private final List<Part> parts = new ArrayList<>();

  private ExchangeBucket(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
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

  /**
   * One part of the set-up.
   *
   * @param name its name
   */
  public record Part(String name, Outcome outcome) {}

  /**
   * Sets up the bucket of {@code location}.
   *
   * @return the result of each part, in the order in which they were done
   * @throws software.amazon.awssdk.core.exception.SdkException when the server cannot be reached,
   *     or refuses; then it can be repeated
   */
  public static List<Part> setUp(S3Client client, S3Location location) {
    ExchangeBucket bucket = new ExchangeBucket(client, location);
    bucket.part("bucket", bucket::create);
    bucket.part("encryption", bucket::encrypt);
    bucket.part("public access blocked", bucket::blockPublicAccess);
    bucket.part("lifecycle", bucket::clearRemains);
    return List.copyOf(bucket.parts);
  }

  /** A step; returns whether it had to be done. */
  private interface Work {
    boolean run();
  }

  private void part(String name, Work work) {
    Outcome outcome;
    try {
      outcome = work.run() ? Outcome.CHANGED : Outcome.WAS_SO;
    } catch (S3Exception e) {
      if (e.statusCode() != NOT_IMPLEMENTED) {
        throw e;
      }
      outcome = Outcome.UNKNOWN_TO_SERVER;
    }
    parts.add(new Part(name, outcome));
  }

  private boolean create() {
    try {
      client.headBucket(b -> b.bucket(location.bucket()));
      return false;
    } catch (S3Exception e) {
      if (e.statusCode() != NOT_FOUND) {
        throw e;
      }
    }
    try {
      client.createBucket(b -> b.bucket(location.bucket()));
      return true;
    } catch (BucketAlreadyOwnedByYouException e) {
      return false; // another process was faster
    }
  }

  private boolean encrypt() {
    if (isSet(() -> client.getBucketEncryption(b -> b.bucket(location.bucket())))) {
      return false;
    }
    ServerSideEncryptionRule byDefault =
        ServerSideEncryptionRule.builder()
            .applyServerSideEncryptionByDefault(d -> d.sseAlgorithm(ServerSideEncryption.AES256))
            .build();
    client.putBucketEncryption(
        b ->
            b.bucket(location.bucket()).serverSideEncryptionConfiguration(c -> c.rules(byDefault)));
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
    List<PublicAccessBlockConfiguration> found = new ArrayList<>();
    if (isSet(
            () ->
                found.add(
                    client
                        .getPublicAccessBlock(b -> b.bucket(location.bucket()))
                        .publicAccessBlockConfiguration()))
        && found.contains(wanted)) {
      return false;
    }
    client.putPublicAccessBlock(
        b -> b.bucket(location.bucket()).publicAccessBlockConfiguration(wanted));
    return true;
  }

  /** Existing rules stay; ours has a name of its own for each location. */
  private boolean clearRemains() {
    List<LifecycleRule> rules = new ArrayList<>();
    boolean set =
        isSet(
            () ->
                rules.addAll(
                    client
                        .getBucketLifecycleConfiguration(b -> b.bucket(location.bucket()))
                        .rules()));
    LifecycleRule wanted = rule(location);
    if (set && rules.contains(wanted)) {
      return false;
    }
    rules.removeIf(rule -> Objects.equals(rule.id(), wanted.id()));
    rules.add(wanted);
    client.putBucketLifecycleConfiguration(
        b -> b.bucket(location.bucket()).lifecycleConfiguration(c -> c.rules(rules)));
    return true;
  }

  private static LifecycleRule rule(S3Location location) {
    return LifecycleRule.builder()
        .id("millrace-remains-" + location.prefix().replace('/', '-'))
        .status(ExpirationStatus.ENABLED)
        .filter(f -> f.prefix(location.prefix()))
        .abortIncompleteMultipartUpload(a -> a.daysAfterInitiation(REMAINS_DAYS))
        .noncurrentVersionExpiration(n -> n.noncurrentDays(REMAINS_DAYS))
        .build();
  }

  private static boolean isSet(Runnable read) {
    try {
      read.run();
      return true;
    } catch (AwsServiceException e) {
      if (e.awsErrorDetails() != null && NEVER_SET.contains(e.awsErrorDetails().errorCode())) {
        return false;
      }
      throw e;
    }
  }
}
