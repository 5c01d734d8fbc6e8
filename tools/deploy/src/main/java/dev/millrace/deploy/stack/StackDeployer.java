package dev.millrace.deploy.stack;

import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.deploy.template.StackParameter;
import dev.millrace.deploy.template.StackTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Makes, changes and deletes stacks, and follows their events. A parameter or a tag that was chosen
 * once keeps its value until it is named again. Table and buckets outlive a stack: the template
 * says so.
 */
public final class StackDeployer {
  /** The tag of all stacks of this software. */
  public static final Map<String, String> OWN_TAG = Map.of("ManagedBy", "millrace");

  private static final String SCHEMA_TAG = "millrace:schema-version";

  /** No event has this id. */
  private static final String FROM_THE_START = "";

  private final StackClient stacks;
  private final Duration poll;
  private final Duration patience;
  private final Consumer<StackEvent> progress;

  /**
   * Deploys through {@code stacks}.
   *
   * @param poll the pause between two looks
   * @param patience the longest time to follow a change
   * @param progress is given each event
   */
  public StackDeployer(
      StackClient stacks, Duration poll, Duration patience, Consumer<StackEvent> progress) {
    this.stacks = stacks;
    this.poll = poll;
    this.patience = patience;
    this.progress = progress;
  }

  /** The results of a deployment. */
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
      String name,
      StackTemplate template,
      Map<String, String> given,
      Map<String, String> tags,
      boolean wait) {
    Optional<StackView> found = stacks.find(name).filter(stack -> !stack.isDeleted());
    Map<String, String> allTags = new LinkedHashMap<>();
    found.ifPresent(stack -> allTags.putAll(stack.tags()));
    allTags.putAll(tags);
    allTags.putAll(OWN_TAG);
    allTags.put(SCHEMA_TAG, String.valueOf(SchemaRecord.SUPPORTED));
    if (found.isEmpty()) {
      StackChange change = new StackChange(name, template.compact(), given, List.of(), allTags);
      follow(stacks.create(change), FROM_THE_START, StackView::isHealthy, wait);
      return Outcome.CREATED;
    }
    StackView stack = found.get();
    if (stack.isDeadOnArrival()) {
      throw StackFailure.of(stack, stacks.eventsSince(stack.id(), FROM_THE_START));
    }
    List<String> kept =
        template.parameters().stream()
            .map(StackParameter::name)
            .filter(each -> !given.containsKey(each) && stack.parameters().containsKey(each))
            .toList();
    String lastSeen = lastEvent(stack);
    if (!stacks.update(new StackChange(name, template.compact(), given, kept, allTags))) {
      return Outcome.UNCHANGED;
    }
    follow(stack.id(), lastSeen, StackView::isHealthy, wait);
    return Outcome.UPDATED;
  }

  /**
   * Deletes the stack of that name.
   *
   * @param wait whether to follow it to its end
   * @return the stack as it was; empty when there is none
   * @throws StackFailure when it does not go
   */
  public Optional<StackView> delete(String name, boolean wait) {
    Optional<StackView> found = stacks.find(name).filter(stack -> !stack.isDeleted());
    found.ifPresent(
        stack -> {
          String lastSeen = lastEvent(stack);
          stacks.delete(stack.name());
          follow(stack.id(), lastSeen, StackView::isDeleted, wait);
        });
    return found;
  }

  /** The id of the last event until now: later ones belong to the change that is begun now. */
  private String lastEvent(StackView stack) {
    List<StackEvent> events = stacks.eventsSince(stack.id(), FROM_THE_START);
    return events.isEmpty() ? FROM_THE_START : events.get(events.size() - 1).id();
  }

  private void follow(String id, String lastSeen, Predicate<StackView> wanted, boolean wait) {
    List<StackEvent> events = new ArrayList<>();
    String last = lastSeen;
    long startedNanos = System.nanoTime();
    while (wait) { // ends: when patience does
      // The state first: events that came before it are then all there.
      StackView now = stacks.find(id).orElseThrow(() -> new IllegalStateException("no " + id));
      for (StackEvent event : stacks.eventsSince(id, last)) {
        events.add(event);
        progress.accept(event);
        last = event.id();
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - startedNanos);
      if (wanted.test(now)) {
        return;
      }
      if (!now.isInProgress()) {
        throw StackFailure.of(now, events);
      }
      if (waited.compareTo(patience) > 0) {
        throw StackFailure.late(now, waited.toSeconds());
      }
      try {
        Thread.sleep(poll.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while CloudFormation works", e);
      }
    }
  }
}
