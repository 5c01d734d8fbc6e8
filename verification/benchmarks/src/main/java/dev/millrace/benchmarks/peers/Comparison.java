package dev.millrace.benchmarks.peers;

import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.backend.Backend;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.backend.ModelTraits;
import dev.millrace.benchmarks.load.BlockingCallers;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.RunProgress;
import dev.millrace.benchmarks.load.StoreCost;
import dev.millrace.benchmarks.load.Tallies;
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
  /** Each peer's time comes in so many pieces; the middle one counts. Odd. */
  private static final int ROUNDS = 3;

  private static final int SPREAD_KEYS = 1_000;

  /** Where a request takes tens of nanoseconds, one in so many is timed. */
  private static final int LOCAL_BUNCH = 16;

  private final int threads;
  private final Duration warmUp;
  private final Duration length;
  private final Function<String, RunProgress> progress;
  private final Consumer<String> messages;

  /**
   * What is the same for all.
   *
   * @param warmUp load before anything is measured, over all rounds
   * @param length measured of each, over all rounds
   * @param progress for a run of that name
   * @param messages hears of what takes long
   */
  public Comparison(
      int threads,
      Duration warmUp,
      Duration length,
      Function<String, RunProgress> progress,
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
   * @param perSecond requests a second, in the middle one of the rounds
   * @param p50Us latency over all rounds
   * @param p99Us latency over all rounds
   */
  public record Row(
      String peer, String scope, String workload, double perSecond, double p50Us, double p99Us) {}

  /** Measures everybody; what is missing is an error, never left out. */
  public List<Row> run() throws InterruptedException {
    try (RedisServer redis = RedisServer.start(messages);
        Backend embedded =
            BackendKind.EMBEDDED.open(Duration.ZERO, ModelTraits.WITHOUT_CONFLICTS, messages);
        Bucket4jRedis plain = new Bucket4jRedis(redis.port(), /* batching= */ false);
        Bucket4jRedis batching = new Bucket4jRedis(redis.port(), /* batching= */ true)) {
      InMemoryStore memory = new InMemoryStore();
      return run(
          List.of(
              new Bucket4jLocal(),
              new Resilience4jLocal(),
              new GuavaLocal(),
              new Ours(
                  "Millrace, in-memory store",
                  Peer.Scope.LOCAL,
                  options -> RateLimiter.create(memory, options)),
              plain,
              batching,
              new Ours(
                  "Millrace, embedded store",
                  Peer.Scope.DYNAMODB,
                  options -> RateLimiter.create(embedded.store(/* async= */ false), options))));
    }
  }

  /** Everybody in each round, so that a bad moment of the machine is not one peer's bad luck. */
  private List<Row> run(List<Peer> peers) throws InterruptedException {
    List<String> keys = IntStream.range(0, SPREAD_KEYS).mapToObj("tenant-%04d"::formatted).toList();
    List<Contest> contests = new ArrayList<>();
    for (Peer peer : peers) {
      contests.add(new Contest(peer, "hot", List.of("tenant")));
      contests.add(new Contest(peer, "spread", keys));
    }
    for (int round = 1; round <= ROUNDS; round++) {
      for (Contest contest : contests) {
        contest.add(measure(contest, round));
      }
    }
    return contests.stream().map(Contest::row).toList();
  }

  private Measurement measure(Contest contest, int round) throws InterruptedException {
    Peer peer = contest.peer();
    String name = "%s, %s, %d/%d".formatted(peer.name(), contest.workload(), round, ROUNDS);
    Course course =
        new Course(warmUp.dividedBy(ROUNDS), length.dividedBy(ROUNDS), progress.apply(name));
    Tallies tallies = new Tallies();
    int bunch = peer.scope().isLocal() ? LOCAL_BUNCH : 1;
    BlockingCallers callers =
        new BlockingCallers(course, tallies, Collections.nCopies(threads, contest.ask()), bunch);
    return course.run(List.of(callers), tallies, () -> StoreCost.NONE);
  }
}
