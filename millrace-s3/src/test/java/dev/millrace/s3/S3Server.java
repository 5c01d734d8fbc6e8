package dev.millrace.s3;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A real server of S3's protocol, in memory, on this machine. */
final class S3Server {
  static final String BUCKET = "kept";

  private final S3Proxy proxy;
  private final S3Client client;

  private S3Server(S3Proxy proxy) {
    this.proxy = proxy;
    this.client =
        S3Client.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + proxy.getPort()))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .forcePathStyle(true)
            .build();
    client.createBucket(b -> b.bucket(BUCKET));
  }

  static S3Server start() throws Exception {
    S3Proxy proxy =
        S3Proxy.builder()
            .blobStore(new TransientNio2BlobStore())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.NONE, null, null)
            .build();
    proxy.start();
    return new S3Server(proxy);
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

  void stop() throws Exception {
    client.close();
    proxy.stop();
  }
}
