package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.load.Ask;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.List;

/** Bucket4j's local bucket, with its default, lock-free synchronisation. */
final class Bucket4jLocal implements Peer {
  @Override
  public String name() {
    return "Bucket4j, local";
  }

  @Override
  public Scope scope() {
    return Scope.LOCAL;
  }

  @Override
  public Ask ask(List<String> keys) {
    return KeyedLimiters.of(
        keys,
        key ->
            Bucket.builder()
                .addLimit(
                    limit ->
                        limit.capacity(PER_SECOND).refillGreedy(PER_SECOND, Duration.ofSeconds(1)))
                .build(),
        bucket -> bucket.tryConsume(1));
  }
}
