package dev.millrace.embedded;

import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/**
 * A server of S3's protocol in this process, its objects in memory, which accepts any credentials:
 * for tests. It needs {@code org.gaul:s3proxy} on the class path, which this module does not bring
 * along.
 */
public final class EmbeddedS3 implements AutoCloseable {
  private final S3Proxy proxy;

  private EmbeddedS3(S3Proxy proxy) {
    this.proxy = proxy;
  }

  /** Starts one, on any port that is free, for this machine only. */
  public static EmbeddedS3 start() {
    S3Proxy proxy =
        S3Proxy.builder()
            .blobStore(new TransientNio2BlobStore())
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.NONE, null, null)
            .build();
    try {
      proxy.start();
    } catch (Exception e) { // what Jetty declares
      throw new EmbeddedEngineException("S3Proxy could not be started", e);
    }
    return new EmbeddedS3(proxy);
  }

  /** Where it is. Buckets are in the path. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) { // what Jetty declares
      throw new EmbeddedEngineException("S3Proxy could not be stopped", e);
    }
  }
}
