package dev.millrace.s3;

import dev.millrace.embedded.EmbeddedS3;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A real server of S3's protocol, in memory, on this machine. */
final class S3Server {
  static final String BUCKET = "kept";

  private final EmbeddedS3 server;
  private final S3Client client;
  private final Counted counted;

  /** Counts what is asked of it. */
  private static final class Counted extends ForwardingBlobStore {
    final AtomicInteger puts = new AtomicInteger();
    final AtomicInteger gets = new AtomicInteger();

    Counted(BlobStore store) {
      super(store);
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream in) {
      puts.incrementAndGet();
      return super.putBlob(request, in);
    }

    @Override
    public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
      gets.incrementAndGet();
      return super.getBlob(request);
    }
  }

  private S3Server(Counted counted) {
    this.counted = counted;
    this.server = EmbeddedS3.over(counted);
    this.client =
        S3Client.builder()
            .endpointOverride(server.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
            // S3Proxy answers before it has read what follows a body in chunks; then the PUT is
            // sent
            // again.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .forcePathStyle(true)
            .build();
    client.createBucket(b -> b.bucket(BUCKET));
  }

  static S3Server start() {
    return new S3Server(new Counted(new TransientNio2BlobStore()));
  }

  URI endpoint() {
    return server.endpoint();
  }

  S3Client client() {
    return client;
  }

  /** Objects written so far. */
  int puts() {
    return counted.puts.get();
  }

  /** Objects asked for so far, whatever the answer. */
  int gets() {
    return counted.gets.get();
  }

  List<String> names(String prefix) {
    return client.listObjectsV2(l -> l.bucket(BUCKET).prefix(prefix)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  byte[] bytes(String name) throws IOException {
    return client.getObject(g -> g.bucket(BUCKET).key(name)).readAllBytes();
  }

  String unzipped(String name) throws IOException {
    try (GZIPInputStream in =
        new GZIPInputStream(client.getObject(g -> g.bucket(BUCKET).key(name)))) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  void stop() {
    client.close();
    server.close();
  }
}
