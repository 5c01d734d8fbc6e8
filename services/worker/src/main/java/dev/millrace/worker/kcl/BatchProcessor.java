package dev.millrace.worker.kcl;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import java.util.List;

/** Processes one batch of a shard; an aggregator's {@code process}. */
public interface BatchProcessor {
  /** Processes {@code records}, in the order of the stream. */
  BatchResult process(List<StreamRecord> records);
}
