package dev.millrace.simulator;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;

/** The end of a wire that belongs to a process. */
interface Endpoint extends Sender {
  boolean isAlive();

  /** Throws {@link CrashedProcessError} when the process has crashed. */
  void requireAlive();

  Chance chance();

  /** What it takes for the time, epoch milliseconds. */
  long effectiveMs();

  /** A call leaves. */
  void sent(StoreCall call);

  /** An answer has come, or will never come. */
  void heard(Sent sent, StoreReply reply);
}
