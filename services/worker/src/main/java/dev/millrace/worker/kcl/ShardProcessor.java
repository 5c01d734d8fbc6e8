package dev.millrace.worker.kcl;

import com.amazonaws.services.dynamodbv2.streamsadapter.adapter.DynamoDBStreamsClientRecord;
import com.amazonaws.services.dynamodbv2.streamsadapter.model.DynamoDBStreamsProcessRecordsInput;
import com.amazonaws.services.dynamodbv2.streamsadapter.processor.DynamoDBStreamsShardRecordProcessor;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.worker.StopSignal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import software.amazon.kinesis.exceptions.InvalidStateException;
import software.amazon.kinesis.exceptions.KinesisClientLibDependencyException;
import software.amazon.kinesis.exceptions.ShutdownException;
import software.amazon.kinesis.exceptions.ThrottlingException;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;

/**
 * The processor of one shard. A record is checkpointed when it is done, never before.
 *
 * <p>KCL continues with the next batch even when the last one failed, so a batch that failed is
 * tried again here until it is done, the worker stops, or it has failed too often. In the last two
 * cases nothing is checkpointed any more: the next reader of the shard begins with what is not
 * done.
 */
final class ShardProcessor implements DynamoDBStreamsShardRecordProcessor {
  /** About a quarter of an hour of trying. */
  static final int MAX_ATTEMPTS = 100;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);
  private static final Logger LOG = System.getLogger(ShardProcessor.class.getName());

  private final String stream;
  private final Function<List<StreamRecord>, BatchResult> processor;
  private final List<StreamListener> listeners;
  private final StopSignal stop;
  private volatile String shard = "";
  private volatile boolean abandoned;

  ShardProcessor(
      String stream,
      Function<List<StreamRecord>, BatchResult> processor,
      List<StreamListener> listeners,
      StopSignal stop) {
    this.stream = stream;
    this.processor = processor;
    this.listeners = listeners;
    this.stop = stop;
  }

  @Override
  public void initialize(InitializationInput input) {
    shard = input.shardId();
    listeners.forEach(listener -> listener.onShardTaken(shard));
  }

  @Override
  public void processRecords(DynamoDBStreamsProcessRecordsInput input) {
    if (abandoned) {
      return;
    }
    List<StreamRecord> records =
        input.records().stream()
            .map(DynamoDBStreamsClientRecord::getRecord)
            .map(record -> SdkRecords.of(stream, record))
            .toList();
    if (!process(records, input.checkpointer())) {
      abandoned = true;
      return;
    }
    long last = records.isEmpty() ? 0 : records.get(records.size() - 1).createdAtMs();
    listeners.forEach(listener -> listener.onRead(shard, records.size(), last));
  }

  private boolean process(List<StreamRecord> records, RecordProcessorCheckpointer checkpointer) {
    List<StreamRecord> left = records;
    for (int attempt = 1; attempt <= MAX_ATTEMPTS && !left.isEmpty(); attempt++) {
      BatchResult result = processor.apply(left);
      int done = done(left, result);
      checkpoint(left, done, checkpointer);
      left = left.subList(done, left.size());
      if (left.isEmpty()) {
        return true;
      }
      Throwable failure =
          Objects.requireNonNullElseGet(
              result.failure(), () -> new IllegalStateException("not done, and no reason given"));
      if (attempt == MAX_ATTEMPTS) {
        LOG.log(Level.ERROR, "Gave up on a batch of " + shard, failure);
        listeners.forEach(listener -> listener.onGivenUp(shard, failure));
      } else {
        int failed = attempt;
        listeners.forEach(listener -> listener.onRetry(shard, failed, failure));
        if (stop.await(pause(attempt))) {
          return false;
        }
      }
    }
    return left.isEmpty();
  }

  /** The number of the first records that are done. */
  private static int done(List<StreamRecord> records, BatchResult result) {
    if (result.isDone()) {
      return records.size();
    }
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).sequenceNumber().equals(result.firstFailed())) {
        return i;
      }
    }
    return 0; // it named a record that is none of these: nothing is sure
  }

  private static Duration pause(int attempt) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 10));
    return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
  }

  /**
   * A checkpoint that could not be made is made by the next batch. Until then another worker that
   * takes the shard gets these records again, which does no harm.
   */
  private void checkpoint(
      List<StreamRecord> records, int done, RecordProcessorCheckpointer checkpointer) {
    if (done == 0) {
      return;
    }
    try {
      checkpointer.checkpoint(records.get(done - 1).sequenceNumber());
    } catch (ShutdownException e) {
      LOG.log(Level.INFO, "Another worker has {0}", shard);
    } catch (ThrottlingException
        | KinesisClientLibDependencyException
        | InvalidStateException
        | IllegalArgumentException e) {
      LOG.log(Level.WARNING, "Could not checkpoint " + shard, e);
    }
  }

  @Override
  public void leaseLost(LeaseLostInput input) {
    listeners.forEach(listener -> listener.onShardLeft(shard));
  }

  @Override
  public void shardEnded(ShardEndedInput input) {
    if (!abandoned) {
      try {
        input.checkpointer().checkpoint();
      } catch (ShutdownException | InvalidStateException e) {
        LOG.log(Level.WARNING, "Could not end " + shard, e);
      }
    }
    listeners.forEach(listener -> listener.onShardLeft(shard));
  }

  /** Nothing to do: every batch has been checkpointed as far as it is done. */
  @Override
  public void shutdownRequested(ShutdownRequestedInput input) {
    listeners.forEach(listener -> listener.onShardLeft(shard));
  }
}
