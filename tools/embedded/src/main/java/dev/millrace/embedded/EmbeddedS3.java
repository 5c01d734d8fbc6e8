package dev.millrace.embedded;

import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/**
 * A server of S3's protocol in this process, its objects in memory, which accepts any credentials:
 * for tests. It can simulate an outage. It needs {@code org.gaul:s3proxy} on the class path, which
 * this module does not depend on.
 */
public final class EmbeddedS3 implements AutoCloseable {
  private static final String HOST = "http://127.0.0.1:";

  private final BlobStore store;
  private final int port;
  private S3Proxy proxy;

  private EmbeddedS3(BlobStore store) {
    this.store = store;
    this.proxy = start(store, 0);
    this.port = proxy.getPort();
  }

  /** Starts a server on a free port of this machine's loopback address. */
  public static EmbeddedS3 start() {
    return over(new TransientNio2BlobStore());
  }

  /** Starts a server that keeps its objects in {@code store}. */
  public static EmbeddedS3 over(BlobStore store) {
    return new EmbeddedS3(store);
  }

  private static S3Proxy start(BlobStore store, int port) {
    S3Proxy proxy =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create(HOST + port))
            .awsAuthentication(AuthenticationType.NONE, null, null)
            .build();
    try {
      proxy.start();
    } catch (Exception e) { // declared by Jetty
      throw new EmbeddedEngineException("S3Proxy could not be started", e);
    }
    return proxy;
  }

  /** Its endpoint. Buckets are in the path. */
  public URI endpoint() {
    return URI.create(HOST + port);
  }

  /** Begins an outage. */
  public void stop() {
    try {
      proxy.stop();
    } catch (Exception e) { // declared by Jetty
      throw new EmbeddedEngineException("S3Proxy could not be stopped", e);
    }
  }

  /** Ends the outage, with the same endpoint and content. */
  public void resume() {
    proxy = start(store, port);
  }

  @Override
  public void close() {
    stop();
  }
}
