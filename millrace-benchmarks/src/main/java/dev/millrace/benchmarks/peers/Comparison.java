package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.backend.Backend;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.BlockingCallers;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measured;
import dev.millrace.benchmarks.load.Progress;
import dev.millrace.benchmarks.load.Spending;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.client.RateLimiter;
import dev.millrace.testkit.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The same work for everybody: so many threads that take one token of one key, and of one of a
 * thousand keys, again and again.
 */
public final class Comparison {
  private static final int SPREAD_KEYS = 1_000;

  /** Where a request takes tens of nanoseconds, one in so many is timed. */
  private static final int LOCAL_BUNCH = 16;

  private final int threads;
  private final Duration warmUp;
  private final Duration length;
  private final Function<String, Progress> progress;
  private final Consumer<String> messages;

  /**
   * What is the same for all.
   *
   * @param progress for a run of that name
   * @param messages hears of what takes long
   */
  public Comparison(
      int threads,
      Duration warmUp,
      Duration length,
      Function<String, Progress> progress,
      Consumer<String> messages) {
    this.threads = threads;
    this.warmUp = warmUp;
    this.length = length;
    this.progress = progress;
    this.messages = messages;
  }

  /**
   * One row of the table.
   *
   * @param peer whose limiter
   * @param scope who shares its counters
   * @param workload hot (one key) or spread (a thousand)
   */
  public record Row(
      String peer, String scope, String workload, double perSecond, double p50Us, double p99Us) {}

  /** Measures everybody; what is missing is an error, never left out. */
  public List<Row> run() throws InterruptedException {
    try (RedisServer redis = RedisServer.start(messages);
        Backend embedded = BackendKind.EMBEDDED.open(Duration.ZERO, messages)) {
      List<Row> rows = new ArrayList<>();
      measure(new Bucket4jLocal(), rows);
      measure(new Resilience4jLocal(), rows);
      measure(new GuavaLocal(), rows);
      InMemoryStore memory = new InMemoryStore();
      measure(
          new Ours(
              "Millrace, in-memory store",
              Peer.Scope.LOCAL,
              options -> RateLimiter.create(memory, options)),
          rows);
      measure(new Bucket4jRedis(redis.port(), /* batching= */ false), rows);
      measure(new Bucket4jRedis(redis.port(), /* batching= */ true), rows);
      measure(
          new Ours(
              "Millrace, embedded store",
              Peer.Scope.DYNAMODB,
              options -> embedded.process(options, /* async= */ false)),
          rows);
      return rows;
    }
  }

  private void measure(Peer peer, List<Row> rows) throws InterruptedException {
    try (peer) {
      rows.add(measure(peer, "hot", List.of("tenant")));
      List<String> keys =
          IntStream.range(0, SPREAD_KEYS).mapToObj("tenant-%04d"::formatted).toList();
      rows.add(measure(peer, "spread", keys));
    }
  }

  private Row measure(Peer peer, String workload, List<String> keys) throws InterruptedException {
    Course course = new Course(warmUp, length, progress.apply(peer.name() + ", " + workload));
    Tallies tallies = new Tallies();
    Ask ask = peer.ask(keys);
    int bunch = peer.scope().isLocal() ? LOCAL_BUNCH : 1;
    BlockingCallers callers =
        new BlockingCallers(course, tallies, Collections.nCopies(threads, ask), bunch);
    Measured measured = course.run(List.of(callers), tallies, () -> Spending.NONE);
    return new Row(
        peer.name(),
        peer.scope().toString(),
        workload,
        measured.counts().admitted() / measured.seconds(),
        measured.latencies().getValueAtPercentile(50) / 1e3,
        measured.latencies().getValueAtPercentile(99) / 1e3);
  }
}
