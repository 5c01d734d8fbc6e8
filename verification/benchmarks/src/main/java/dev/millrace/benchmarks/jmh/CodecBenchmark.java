package dev.millrace.benchmarks.jmh;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A bucket of two limits as an item and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {
  private BucketState state = SampleBucket.state();
  private Map<String, AttributeValue> item = BucketCodec.encode(SampleBucket.state());

  /** To the item. */
  @Benchmark
  public Map<String, AttributeValue> encode() {
    return BucketCodec.encode(state);
  }

  /** From the item. */
  @Benchmark
  public BucketState decode() {
    return BucketCodec.decode(state.key(), item);
  }
}
