package dev.millrace.simulator;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A machine: its clock goes on when its process crashes. */
final class Node {
  private final NodeSpec spec;
  private final Clock clock;
  private final IntFunction<Life> births;
  private @Nullable Life life;
  private int lives;

  Node(NodeSpec spec, Clock clock, IntFunction<Life> births) {
    this.spec = spec;
    this.clock = clock;
    this.births = births;
  }

  NodeSpec spec() {
    return spec;
  }

  Clock clock() {
    return clock;
  }

  /** The process that runs, null while there is none. */
  @Nullable Life life() {
    return life;
  }

  void start() {
    if (life == null) {
      life = births.apply(lives++);
    }
  }

  void crash() {
    if (life != null) {
      life.crash();
      life = null;
    }
  }

  /** Takes the process off: it ends in good order while the next one may start. */
  @Nullable Life retire() {
    Life retired = life;
    life = null;
    return retired;
  }
}
