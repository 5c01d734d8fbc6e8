package dev.millrace.deploy.stack;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A stack as it is.
 *
 * @param name its name
 * @param id its id, which stays its own when it is gone
 * @param status as CloudFormation names it
 * @param reason why it is so; may be empty
 * @param parameters what was chosen
 * @param tags its tags
 * @param outputs its outputs
 */
public record StackView(
    String name,
    String id,
    String status,
    String reason,
    Map<String, String> parameters,
    Map<String, String> tags,
    Map<String, String> outputs) {
  /** Keeps the maps as they are now. */
  public StackView {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
  }

  /** Whether CloudFormation works at it. */
  public boolean isInProgress() {
    return status.endsWith("_IN_PROGRESS");
  }

  /** Whether the last change was made. */
  public boolean isHealthy() {
    return status.equals("CREATE_COMPLETE") || status.equals("UPDATE_COMPLETE");
  }

  /** Whether there is nothing to change any more: it was never made, and can only be deleted. */
  public boolean isDeadOnArrival() {
    return status.equals("ROLLBACK_COMPLETE")
        || status.equals("ROLLBACK_FAILED")
        || status.equals("CREATE_FAILED");
  }

  /** Whether it is gone. */
  public boolean isDeleted() {
    return status.equals("DELETE_COMPLETE");
  }
}
