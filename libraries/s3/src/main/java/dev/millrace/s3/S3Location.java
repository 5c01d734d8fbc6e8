package dev.millrace.s3;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A location in S3.
 *
 * @param prefix the prefix of object names; empty, or with a slash at the end
 */
public record S3Location(String bucket, String prefix) {
  private static final String SCHEME = "s3";

  /** Checks that there is a bucket. */
  public S3Location {
    if (bucket.isEmpty()) {
      throw new IllegalArgumentException("no bucket");
    }
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("prefix '" + prefix + "' must end with a slash");
    }
  }

  /**
   * The location named by {@code text}: {@code s3://bucket} or {@code s3://bucket/some/prefix}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static S3Location parse(String text) {
    try {
      URI uri = new URI(text);
      @Nullable String bucket = uri.getAuthority();
      if (SCHEME.equals(uri.getScheme()) && bucket != null && !bucket.isEmpty()) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String prefix = path.startsWith("/") ? path.substring(1) : path;
        return new S3Location(
            bucket, prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/");
      }
    } catch (URISyntaxException e) {
      // refused below
    }
    throw new IllegalArgumentException("'" + text + "' is not of the form s3://bucket/prefix");
  }

  @Override
  public String toString() {
    return SCHEME + "://" + bucket + "/" + prefix;
  }
}
