package dev.millrace.simulator;

import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import java.io.IOException;

/**
 * A listener that throws what a listener must not: exceptions, errors, and checked exceptions that
 * nothing declares, as other languages of the JVM throw them.
 */
final class FailingListener implements LimiterListener {
  private final Chance chance;
  private final int perMille;
  private final Sender sender;

  /**
   * A listener.
   *
   * @param perMille how many of a thousand calls throw
   * @param sender is told of each
   */
  FailingListener(Chance chance, int perMille, Sender sender) {
    this.chance = chance;
    this.perMille = perMille;
    this.sender = sender;
  }

  private void mayThrow() {
    if (!chance.perMille(perMille)) {
      return;
    }
    switch (chance.below(3)) {
      case 0 -> {
        sender.saw(Event.LISTENER_THREW_EXCEPTION);
        throw new IllegalStateException("a listener's exception");
      }
      case 1 -> {
        sender.saw(Event.LISTENER_THREW_ERROR);
        throw new LinkageError("a listener's error");
      }
      default -> {
        sender.saw(Event.LISTENER_THREW_CHECKED);
        FailingListener.<RuntimeException>throwUndeclared(new IOException("undeclared"));
      }
    }
  }

  @SuppressWarnings("unchecked") // that it is none is the point
  private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public void onEvent(LimiterEvent event) {
    mayThrow();
  }
}
