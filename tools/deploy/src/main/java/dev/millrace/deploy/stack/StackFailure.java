package dev.millrace.deploy.stack;

import dev.millrace.MillraceException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A stack did not become what it should: which resource was in the way, and why. */
public final class StackFailure extends MillraceException {
  private static final long serialVersionUID = 1L;

  private StackFailure(Map<String, Object> attributes) {
    super("the stack did not become what it should", attributes, null);
  }

  static StackFailure of(StackView stack, List<StackEvent> events) {
    StackEvent cause = events.stream().filter(StackEvent::isCause).findFirst().orElse(null);
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("stack", stack.name());
    attributes.put("status", stack.status());
    if (cause != null) {
      attributes.put("resource", cause.resource());
      attributes.put("type", cause.type());
    }
    attributes.put("reason", cause == null ? stack.reason() : cause.reason());
    attributes.put(
        "todo",
        stack.isDeadOnArrival()
            ? "mend the cause, delete the stack, deploy again"
            : "mend the cause, deploy again");
    return new StackFailure(attributes);
  }

  static StackFailure late(StackView stack, long waitedSeconds) {
    return new StackFailure(
        Map.of(
            "stack",
            stack.name(),
            "status",
            stack.status(),
            "waitedSeconds",
            waitedSeconds,
            "todo",
            "CloudFormation goes on; look again later"));
  }
}
