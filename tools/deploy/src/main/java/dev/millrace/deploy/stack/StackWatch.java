package dev.millrace.deploy.stack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Follows what happens to a stack, event by event, to its end. */
public final class StackWatch {
  /** No event has this id. */
  static final String FROM_THE_START = "";

  private final StackService stacks;
  private final Duration poll;
  private final Duration patience;
  private final Consumer<StackEvent> progress;

  /**
   * Watches through {@code stacks}.
   *
   * @param poll how long to wait between two looks
   * @param patience how long to look at all
   * @param progress hears each event
   */
  public StackWatch(
      StackService stacks, Duration poll, Duration patience, Consumer<StackEvent> progress) {
    this.stacks = stacks;
    this.poll = poll;
    this.patience = patience;
    this.progress = progress;
  }

  /** The id of the last event until now: what comes later belongs to what is begun now. */
  String lastEvent(String id) {
    List<StackEvent> events = stacks.eventsSince(id, FROM_THE_START);
    return events.isEmpty() ? FROM_THE_START : events.get(events.size() - 1).id();
  }

  StackView untilHealthy(String id, String lastSeen) {
    List<StackEvent> heard = new ArrayList<>();
    StackView end = untilEnd(id, lastSeen, heard);
    if (!end.isHealthy()) {
      throw StackFailure.of(end, heard);
    }
    return end;
  }

  void untilDeleted(String id, String lastSeen) {
    List<StackEvent> heard = new ArrayList<>();
    StackView end = untilEnd(id, lastSeen, heard);
    if (!end.isDeleted()) {
      throw StackFailure.of(end, heard);
    }
  }

  private StackView untilEnd(String id, String lastSeen, List<StackEvent> heard) {
    long begun = System.nanoTime();
    String last = lastSeen;
    while (true) { // ends: when patience does
      // The state first: events that came before it are then all there.
      StackView now = stacks.find(id).orElseThrow(() -> new IllegalStateException("no " + id));
      for (StackEvent event : stacks.eventsSince(id, last)) {
        heard.add(event);
        progress.accept(event);
        last = event.id();
      }
      if (!now.isInProgress()) {
        return now;
      }
      long waitedNanos = System.nanoTime() - begun;
      if (waitedNanos > patience.toNanos()) {
        throw StackFailure.late(now, Duration.ofNanos(waitedNanos).toSeconds());
      }
      pause();
    }
  }

  private void pause() {
    try {
      Thread.sleep(poll.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while CloudFormation works", e);
    }
  }
}
