package dev.millrace.proving.soak.worker;

import dev.millrace.proving.soak.journal.OperationOutcome;
import java.util.concurrent.atomic.LongAdder;

/** What a worker did so far, for those who watch. */
final class WorkerTally {
  private final LongAdder granted = new LongAdder();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unavailable = new LongAdder();

  void acquired(OperationOutcome verdict) {
    switch (verdict) {
      case GRANTED -> granted.increment();
      case DEGRADED -> degraded.increment();
      case REFUSED -> refused.increment();
      case UNCHARGED, UNSURE -> unavailable.increment();
      case SETTLED, UNSETTLED -> throw new IllegalArgumentException("no acquire: " + verdict);
    }
  }

  WorkerCounts counts() {
    return new WorkerCounts(granted.sum(), degraded.sum(), refused.sum(), unavailable.sum());
  }
}
