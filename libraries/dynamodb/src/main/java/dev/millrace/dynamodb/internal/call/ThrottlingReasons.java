package dev.millrace.dynamodb.internal.call;

import java.util.List;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingReason;

/**
 * The reasons that DynamoDB gives with a throttled request, such as {@code
 * TableWriteKeyRangeThroughputExceeded}. They tell a key that is used too hard from a table or an
 * account that is.
 */
final class ThrottlingReasons {
  /** Part of the reason when the partition of the key is meant, of a table or of an index. */
  private static final String KEY_RANGE = "KeyRangeThroughputExceeded";

  private ThrottlingReasons() {}

  /** Whether a reason names the range of the key. Without a reason it does not. */
  static boolean nameTheKey(SdkServiceException answered) {
    for (ThrottlingReason reason : reasons(answered)) {
      if (reason.reason() != null && reason.reason().endsWith(KEY_RANGE)) {
        return true;
      }
    }
    return false;
  }

  private static List<ThrottlingReason> reasons(SdkServiceException answered) {
    if (answered instanceof ProvisionedThroughputExceededException exceeded) {
      return exceeded.throttlingReasons();
    }
    if (answered instanceof ThrottlingException throttled) {
      return throttled.throttlingReasons();
    }
    return answered instanceof RequestLimitExceededException limited
        ? limited.throttlingReasons()
        : List.of();
  }
}
