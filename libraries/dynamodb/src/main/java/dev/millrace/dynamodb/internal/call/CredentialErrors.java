package dev.millrace.dynamodb.internal.call;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The check whether the SDK failed because it could not get credentials: a provider in the chain
 * was asked in vain, or the place where it looks them up was away. It has no type of its own, and
 * its message may be reworded, so the place where it was thrown tells.
 */
final class CredentialErrors {
  private static final String PROVIDERS = "software.amazon.awssdk.auth.credentials.";

  /** Most exceptions, and frames of each, that are looked at: the builder's come first. */
  private static final int MAX_CAUSES = 16;

  private static final int MAX_FRAMES = 8;

  private CredentialErrors() {}

  static boolean isOne(SdkException failure) {
    Throwable cause = failure;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      if (cause instanceof SdkClientException && isFromProvider(cause.getStackTrace())) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean isFromProvider(StackTraceElement[] frames) {
    for (int i = 0; i < Math.min(MAX_FRAMES, frames.length); i++) {
      if (frames[i].getClassName().startsWith(PROVIDERS)) {
        return true;
      }
    }
    return false;
  }
}
