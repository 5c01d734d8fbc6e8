package dev.millrace.deploy.stack;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is asked of CloudFormation. */
public interface StackService {
  /** The stack of that name or id; empty when there is none. */
  Optional<StackView> find(String stack);

  /** Begins to make a stack; its id. */
  String create(StackChange change);

  /** Begins to change a stack; false when there is nothing to change. */
  boolean update(StackChange change);

  /** Begins to delete a stack. */
  void delete(String stack);

  /** What has happened to a stack since {@code lastSeen}, the oldest first. */
  List<StackEvent> eventsSince(String stack, String lastSeen);

  /** Stacks that have all of {@code tags}. */
  List<StackView> list(Map<String, String> tags);
}
