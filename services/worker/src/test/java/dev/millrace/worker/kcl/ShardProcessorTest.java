package dev.millrace.worker.kcl;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.dynamodbv2.streamsadapter.adapter.DynamoDBStreamsClientRecord;
import com.amazonaws.services.dynamodbv2.streamsadapter.model.DynamoDBStreamsProcessRecordsInput;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.worker.StopSignal;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;

/** What is checkpointed, and when: a shard's end only after all that is in it. */
class ShardProcessorTest {
  private final List<String> story = new ArrayList<>();
  private final StopSignal stopping = new StopSignal();

  /** Writes down each checkpoint; KCL's interface has ten forms of it. */
  private final RecordProcessorCheckpointer checkpointer =
      (RecordProcessorCheckpointer)
          Proxy.newProxyInstance(
              ShardProcessorTest.class.getClassLoader(),
              new Class<?>[] {RecordProcessorCheckpointer.class},
              (proxy, method, args) -> {
                story.add(method.getName() + Arrays.toString(args == null ? new Object[0] : args));
                return null;
              });

  @Test
  void shardEnded_allDone_checkpointsTheEndLast() {
    ShardProcessor processor = processor(this::done);
    processor.processRecords(records("1", "2"));
    processor.processRecords(records("3"));
    processor.shardEnded(ended());
    assertThat(story)
        .containsExactly(
            "taken shard-1",
            "done 1",
            "done 2",
            "checkpoint[2]",
            "done 3",
            "checkpoint[3]",
            "checkpoint[]",
            "left shard-1");
  }

  /** Whoever reads the shard next begins with what is not done, and no child is read before. */
  @Test
  void shardEnded_batchLeftUndone_checkpointsNoEnd() {
    ShardProcessor processor =
        processor(
            records -> {
              stopping.stop();
              return failed(records, 1);
            });
    processor.processRecords(records("1", "2"));
    processor.processRecords(records("3"));
    processor.shardEnded(ended());
    assertThat(story).containsExactly("taken shard-1", "checkpoint[1]", "left shard-1");
  }

  private ShardProcessor processor(Function<List<StreamRecord>, BatchResult> batches) {
    ShardProcessor processor =
        new ShardProcessor(
            "2026-11-18T17:14:04.123",
            batches,
            List.of(
                new StreamListener() {
                  @Override
                  public void onShardTaken(String shard) {
                    story.add("taken " + shard);
                  }

                  @Override
                  public void onShardLeft(String shard) {
                    story.add("left " + shard);
                  }
                }),
            stopping);
    processor.initialize(InitializationInput.builder().shardId("shard-1").build());
    return processor;
  }

  private BatchResult done(List<StreamRecord> records) {
    records.forEach(record -> story.add("done " + record.sequenceNumber()));
    return new BatchResult(records.size(), records.size(), 0, 0, 0, 0, null, null);
  }

  private static BatchResult failed(List<StreamRecord> records, int index) {
    return new BatchResult(
        records.size(),
        index,
        0,
        0,
        0,
        0,
        records.get(index).sequenceNumber(),
        new IllegalStateException("as the test wants"));
  }

  private DynamoDBStreamsProcessRecordsInput records(String... numbers) {
    List<DynamoDBStreamsClientRecord> records =
        Stream.of(numbers)
            .map(
                number ->
                    Record.builder()
                        .eventName(OperationType.MODIFY)
                        .dynamodb(
                            d ->
                                d.sequenceNumber(number).approximateCreationDateTime(Instant.EPOCH))
                        .build())
            .map(DynamoDBStreamsClientRecord::fromRecord)
            .toList();
    return DynamoDBStreamsProcessRecordsInput.builder()
        .records(records)
        .checkpointer(checkpointer)
        .build();
  }

  private ShardEndedInput ended() {
    return ShardEndedInput.builder().checkpointer(checkpointer).build();
  }
}
