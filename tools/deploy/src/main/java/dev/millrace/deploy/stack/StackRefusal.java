package dev.millrace.deploy.stack;

import dev.millrace.MillraceException;
import java.util.Map;
import software.amazon.awssdk.services.cloudformation.model.CloudFormationException;

/** CloudFormation answered, and did not do what it was asked. */
public final class StackRefusal extends MillraceException {
  private static final long serialVersionUID = 1L;

  private final String reason;

  StackRefusal(CloudFormationException answer) {
    super("CloudFormation refused", Map.of("reason", reason(answer)), answer);
    this.reason = reason(answer);
  }

  private static String reason(CloudFormationException answer) {
    return answer.awsErrorDetails() == null
        ? String.valueOf(answer.getMessage())
        : answer.awsErrorDetails().errorMessage();
  }

  boolean says(String text) {
    return reason.contains(text);
  }
}
