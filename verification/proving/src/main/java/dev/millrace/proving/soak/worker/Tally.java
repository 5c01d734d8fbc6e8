package dev.millrace.proving.soak.worker;

import dev.millrace.proving.soak.journal.Verdict;
import java.util.concurrent.atomic.LongAdder;

/** The progress of a worker. */
final class Tally {
  private final LongAdder granted = new LongAdder();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unavailable = new LongAdder();

  void acquired(Verdict verdict) {
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
