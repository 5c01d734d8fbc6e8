package dev.millrace.deploy.stack;

import dev.millrace.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * The jar of the functions in a bucket, under its digest: other code has another key, so that
 * CloudFormation notices, and the same code is put there once.
 */
public final class FunctionCode {
  /** The property with the directory of the checkout, set by the launcher. */
  private static final String HOME = "millrace.home";

  private static final String JAR = "services/lambda/target/millrace-lambda-function.jar";

  private FunctionCode() {}

  /** The jar of this checkout. */
  public static Path built() {
    return Path.of(System.getProperty(HOME, "."), JAR);
  }

  /** Puts the jar into the bucket if it is not there; its key. */
  public static String put(S3Client s3, String bucket, Path jar) {
    try {
      String key = "millrace/" + digest(jar) + ".jar";
      if (!isThere(s3, bucket, key)) {
        s3.putObject(p -> p.bucket(bucket).key(key), RequestBody.fromFile(jar));
      }
      return key;
    } catch (IOException e) {
      throw new MillraceException(
          "the functions' jar cannot be read",
          Map.of("file", jar, "todo", "build it with 'mvn package', or name it with --jar"),
          e);
    } catch (SdkException e) {
      throw new MillraceException(
          "the functions' jar cannot be put into the bucket",
          Map.of("bucket", bucket, "reason", String.valueOf(e.getMessage())),
          e);
    }
  }

  private static boolean isThere(S3Client s3, String bucket, String key) {
    try {
      s3.headObject(h -> h.bucket(bucket).key(key));
      return true;
    } catch (NoSuchKeyException e) {
      return false;
    }
  }

  private static String digest(Path file) throws IOException {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha256.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
