package dev.millrace.deploy.stack;

import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.deploy.template.StackParameter;
import dev.millrace.deploy.template.StackTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a stack or changes it. What was chosen once stays chosen: a parameter that is not named now
 * keeps the value that it has, and so does a tag.
 */
public final class Deployment {
  /** What our stacks are found by. */
  public static final Map<String, String> OWN_TAG = Map.of("ManagedBy", "millrace");

  private static final String SCHEMA_TAG = "millrace:schema-version";

  private final StackService stacks;
  private final StackTemplate template;
  private final StackWatch watch;

  /** Through {@code stacks}, followed by {@code watch}. */
  public Deployment(StackService stacks, StackTemplate template, StackWatch watch) {
    this.stacks = stacks;
    this.template = template;
    this.watch = watch;
  }

  /** What came of it. */
  public enum Outcome {
    /** It is being made, or was. */
    CREATED,
    /** It is being changed, or was. */
    UPDATED,
    /** It was as it should be. */
    UNCHANGED
  }

  /**
   * Makes the stack when there is none, else changes it.
   *
   * @param wait whether to follow it to its end
   * @throws StackFailure when it does not become what it should
   */
  public Outcome deploy(
      String name, Map<String, String> given, Map<String, String> tags, boolean wait) {
    Optional<StackView> found = stacks.find(name).filter(stack -> !stack.isDeleted());
    if (found.isEmpty()) {
      String id = stacks.create(change(name, given, List.of(), tags));
      follow(id, StackWatch.FROM_THE_START, wait);
      return Outcome.CREATED;
    }
    StackView stack = found.get();
    if (stack.isDeadOnArrival()) {
      throw StackFailure.of(stack, stacks.eventsSince(stack.id(), StackWatch.FROM_THE_START));
    }
    String lastSeen = watch.lastEvent(stack.id());
    Map<String, String> allTags = new LinkedHashMap<>(stack.tags());
    allTags.putAll(tags);
    if (!stacks.update(change(name, given, kept(stack, given), allTags))) {
      return Outcome.UNCHANGED;
    }
    follow(stack.id(), lastSeen, wait);
    return Outcome.UPDATED;
  }

  private void follow(String id, String lastSeen, boolean wait) {
    if (wait) {
      StackView unused = watch.untilHealthy(id, lastSeen);
    }
  }

  private List<String> kept(StackView stack, Map<String, String> given) {
    List<String> kept = new ArrayList<>();
    for (StackParameter parameter : template.parameters()) {
      String name = parameter.name();
      if (!given.containsKey(name) && stack.parameters().containsKey(name)) {
        kept.add(name);
      }
    }
    return kept;
  }

  private StackChange change(
      String name, Map<String, String> given, List<String> kept, Map<String, String> tags) {
    Map<String, String> allTags = new LinkedHashMap<>(tags);
    allTags.putAll(OWN_TAG);
    allTags.put(SCHEMA_TAG, String.valueOf(SchemaRecord.SUPPORTED));
    return new StackChange(name, template.compact(), given, kept, allTags);
  }
}
