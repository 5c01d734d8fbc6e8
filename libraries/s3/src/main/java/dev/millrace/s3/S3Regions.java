package dev.millrace.s3;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.internal.S3SnapshotExchange;
import java.time.Duration;
import java.util.UUID;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.s3.S3Client;

/** The exchange between regions over S3, with the clock and the random numbers of this machine. */
public final class S3Regions {
  /** The time limit of a call, with all its retries. */
  public static final Duration CALL_TIMEOUT = S3SnapshotExchange.CALL_TIMEOUT;

  private static final int MAX_ATTEMPTS = 3;

  private S3Regions() {}

  /** The client configuration for this use: standard retries, which wait with jitter. */
  public static ClientOverrideConfiguration clientConfiguration() {
    return ClientOverrideConfiguration.builder()
        .apiCallTimeout(CALL_TIMEOUT)
        .apiCallAttemptTimeout(S3SnapshotExchange.ATTEMPT_TIMEOUT)
        .retryStrategy(
            AwsRetryStrategy.standardRetryStrategy().toBuilder().maxAttempts(MAX_ATTEMPTS).build())
        .build();
  }

  /**
   * A region's part in the exchange of one namespace.
   *
   * @param store the region's table
   * @param view the observer of writes there
   */
  public static RegionExchange open(
      BlockingStore store,
      String namespaceId,
      S3Client client,
      S3Location location,
      AllocationPolicy policy,
      SyncListener listener,
      ActiveView view) {
    return RegionExchange.of(
        store,
        namespaceId,
        new S3SnapshotExchange(client, location),
        policy,
        System::currentTimeMillis,
        S3Regions::randomId,
        listener,
        view);
  }

  /** A short id: it is stored in buckets. */
  private static String randomId() {
    long random = UUID.randomUUID().getMostSignificantBits();
    return "reg." + Long.toUnsignedString(random, Character.MAX_RADIX);
  }
}
