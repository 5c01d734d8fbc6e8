package dev.millrace.deploy.policy;

import java.util.List;

/**
 * Something that AWS decides whether to allow.
 *
 * @param action such as {@code dynamodb:GetItem}
 * @param resource its ARN
 * @param leadingKeys partition keys that it names; empty when it names none
 */
record ApiCall(String action, String resource, List<String> leadingKeys) {
  ApiCall {
    leadingKeys = List.copyOf(leadingKeys);
  }

  static ApiCall of(String action, String resource) {
    return new ApiCall(action, resource, List.of());
  }

  /** Whether it names keys, and all of them are of a namespace. */
  boolean isOf(String namespace) {
    return !leadingKeys.isEmpty()
        && leadingKeys.stream().allMatch(key -> key.startsWith(namespace + "/"));
  }
}
