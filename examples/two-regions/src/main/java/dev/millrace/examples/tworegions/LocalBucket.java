package dev.millrace.examples.tworegions;

import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.examples.common.LocalClients;
import dev.millrace.s3.S3Location;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.services.s3.S3Client;

/** A bucket in memory, behind S3's protocol: the one thing that the regions share. */
final class LocalBucket implements AutoCloseable {
  private static final String NAME = "exchange";

  private final EmbeddedS3 server = EmbeddedS3.start();

  // Unlike AWS, this server has buckets in the path and reads no bodies in chunks.
  private final S3Client client =
      LocalClients.at(server.endpoint(), S3Client.builder())
          .forcePathStyle(true)
          .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
          .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
          .build();

  LocalBucket() {
    client.createBucket(bucket -> bucket.bucket(NAME));
  }

  S3Client client() {
    return client;
  }

  S3Location location() {
    return new S3Location(NAME, "prod/");
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
