package dev.millrace.s3.internal;

import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.regions.internal.snapshot.SnapshotFormat;
import dev.millrace.s3.S3Location;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The exchange of snapshots in S3, one object for each region: one PUT to publish, one GET to read
 * another, which returns nothing when nothing has changed. Regions may be far apart and slow to
 * read; each call ends within {@link #CALL_TIMEOUT} all the same, so that a window is not spent on
 * one of them.
 */
public final class S3SnapshotExchange implements SnapshotExchange {
  /** The time limit of a call, with all its retries. */
  public static final Duration CALL_TIMEOUT = Duration.ofSeconds(6);

  /** The time limit of one attempt. */
  public static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(2);

  /** The metadata key of the checksum of the text. */
  private static final String SHA256 = "sha256";

  private static final int NOT_MODIFIED = 304;

  private final S3Client client;
  private final S3Location location;

  /** An exchange at {@code location}. The client is the caller's to close. */
  public S3SnapshotExchange(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
  }

  @Override
  public SnapshotExchange.PublishResult publish(String region, EncodedSnapshot snapshot) {
    PutObjectRequest request =
        PutObjectRequest.builder()
            .bucket(location.bucket())
            .key(key(region))
            .contentType("application/json")
            .contentEncoding("gzip")
            .metadata(Map.of(SHA256, snapshot.sha256()))
            .overrideConfiguration(timeouts())
            .build();
    try {
      client.putObject(request, RequestBody.fromBytes(snapshot.toByteArray()));
      return new SnapshotExchange.PublishResult.Done();
    } catch (SdkException e) {
      return new SnapshotExchange.PublishResult.Failed(message("publish", region, e));
    }
  }

  @Override
  public SnapshotExchange.FetchResult fetch(String region, @Nullable String lastEtag) {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(location.bucket())
            .key(key(region))
            .ifNoneMatch(lastEtag)
            .overrideConfiguration(timeouts())
            .build();
    try {
      // With the body: so its bytes are under the time-outs too, and a broken body is read again.
      return client.getObject(
          request,
          (response, body) -> found(region, response, new ResponseInputStream<>(response, body)));
    } catch (NoSuchKeyException e) {
      return new SnapshotExchange.FetchResult.Missing();
    } catch (S3Exception e) {
      return e.statusCode() == NOT_MODIFIED
          ? new SnapshotExchange.FetchResult.NotModified()
          : new SnapshotExchange.FetchResult.Failed(message("read", region, e));
    } catch (SdkException e) {
      return new SnapshotExchange.FetchResult.Failed(message("read", region, e));
    }
  }

  private static SnapshotExchange.FetchResult found(
      String region, GetObjectResponse response, ResponseInputStream<GetObjectResponse> body)
      throws IOException {
    int most = (int) SnapshotFormat.MAX_GZIPPED_BYTES;
    byte[] bytes = body.readNBytes(most + 1);
    if (bytes.length > most) {
      body.abort();
      return new SnapshotExchange.FetchResult.TooLarge(
          "snapshot of '" + region + "' has more than " + most + " bytes");
    }
    String sha256 = response.metadata().getOrDefault(SHA256, "");
    return new SnapshotExchange.FetchResult.Found(
        new EncodedSnapshot(bytes, sha256), response.eTag());
  }

  private String key(String region) {
    return location.prefix() + SnapshotFormat.objectName(region);
  }

  private static AwsRequestOverrideConfiguration timeouts() {
    return AwsRequestOverrideConfiguration.builder()
        .apiCallTimeout(CALL_TIMEOUT)
        .apiCallAttemptTimeout(ATTEMPT_TIMEOUT)
        .build();
  }

  private String message(String what, String region, SdkException e) {
    return "cannot %s the snapshot of '%s' at %s: %s"
        .formatted(what, region, location, e.getMessage());
  }
}
