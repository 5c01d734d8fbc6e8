package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.simulator.oracle.TableWrite;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A writer of the table. */
interface Sender {
  String name();

  /** As whom it writes. */
  TableWrite.Source source();

  /** The most of each limit that it may charge at this moment without a check. */
  Map<String, Long> uncheckedMilli(BucketKey key);

  /** The most of each limit that it may give back at this moment, null when nobody can tell. */
  @Nullable Map<String, Long> givenBackMilli(BucketKey key);

  /** Counts what happens to it. */
  void saw(Event event);
}
