package dev.millrace.s3;

import dev.millrace.embedded.EmbeddedS3;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A real server of S3's protocol, in memory, on this machine. */
final class S3Server {
  static final String BUCKET = "kept";

  private final EmbeddedS3 server;
  private final S3Client client;

  private S3Server(EmbeddedS3 server) {
    this.server = server;
    this.client =
        S3Client.builder()
            .endpointOverride(server.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .forcePathStyle(true)
            .build();
    client.createBucket(b -> b.bucket(BUCKET));
  }

  static S3Server start() {
    return new S3Server(EmbeddedS3.start());
  }

  S3Client client() {
    return client;
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
