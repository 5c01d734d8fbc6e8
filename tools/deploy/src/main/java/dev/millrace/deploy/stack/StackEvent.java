package dev.millrace.deploy.stack;

import java.util.Locale;

/**
 * An event of a resource of a stack.
 *
 * @param id no other event's
 * @param resource its name in the template
 * @param type of resource
 * @param status as CloudFormation names it
 * @param reason why; may be empty
 */
public record StackEvent(String id, String resource, String type, String status, String reason) {
  /** Whether it went wrong by itself, not because something else did. */
  public boolean isCause() {
    return status.endsWith("_FAILED")
        && !reason.toLowerCase(Locale.ROOT).contains("cancelled")
        && !type.equals("AWS::CloudFormation::Stack");
  }
}
