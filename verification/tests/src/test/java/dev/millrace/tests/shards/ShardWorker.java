package dev.millrace.tests.shards;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimitNotation;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Sharding;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that loads one bucket, leaves it nearly alone after the next line that it is
 * told, and prints what its leases came to after one more.
 */
final class ShardWorker {
  static final String LIMITS = "rps:500/sec:100000";

  private static final int THREADS = 3;

  /** DynamoDB Local bears any load, so that less is said to be too much. */
  static final int WRITE_UNITS = 10;

  /** So long that eight processes write each of eight shards about once a second: it is quiet. */
  private static final long QUIET_MS = 1_500;

  private static final Sharding SHARDING =
      new Sharding(8, Duration.ofMillis(300), Duration.ofMillis(700), 64, 1_000);

  private ShardWorker() {}

  /** What a worker is told. */
  record Job(URI endpoint, String table, String entity, long seed) {
    List<String> toArgs() {
      return List.of(endpoint.toString(), table, entity, String.valueOf(seed));
    }
  }

  /** What a worker did. */
  record Result(long netMilli, long resized, long splits, long merges) {
    Result plus(Result other) {
      return new Result(
          netMilli + other.netMilli,
          resized + other.resized,
          splits + other.splits,
          merges + other.merges);
    }
  }

  public static void main(String[] args) throws Exception {
    Job job = new Job(URI.create(args[0]), args[1], args[2], Long.parseLong(args[3]));
    LimiterOptions options =
        LimiterOptions.builder()
            .partitionWriteUnits(WRITE_UNITS)
            .grouping(job.seed() % 2 == 0) // who shares writes waits for others before it divides
            .sharding(SHARDING)
            .timeout(Duration.ofMinutes(1)) // a busy machine is not the subject
            .build();
    try (RateLimiter limiter =
        RateLimiter.create(DynamoStore.of(Dynamo.client(job.endpoint()), job.table()), options)) {
      limiter.available(job.entity(), "gpt-4", LimitNotation.parse(LIMITS));
      System.out.println("READY");
      if (System.in.read() < 0) {
        return; // nobody is there any more
      }
      long net = loads(limiter, job, THREADS, /* pauseMs= */ 0);
      net += loads(limiter, job, 1, QUIET_MS);
      LimiterMetrics metrics = limiter.metrics();
      System.out.printf(
          "END %d %d %d %d%n", net, metrics.resized(), metrics.splits(), metrics.merges());
    }
  }

  private static long loads(RateLimiter limiter, Job job, int threads, long pauseMs)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Long>> callers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Random random = new Random(job.seed() * 31 + i);
        callers.add(() -> load(limiter, job, random, pauseMs));
      }
      long net = 0;
      for (Future<Long> each : pool.invokeAll(callers)) {
        net += each.get();
      }
      if (System.in.read() < 0) {
        throw new IllegalStateException("nobody is there any more");
      }
      return net;
    } finally {
      pool.shutdownNow();
    }
  }

  private static long load(RateLimiter limiter, Job job, Random random, long pauseMs)
      throws InterruptedException, IOException {
    AcquireRequest request =
        AcquireRequest.of(job.entity(), "gpt-4").limits(LimitNotation.parse(LIMITS));
    long netTokens = 0;
    while (System.in.available() == 0) {
      long amount = random.nextInt(20) == 0 ? 60 : 1 + random.nextInt(3);
      Acquisition answer = limiter.tryAcquire(request.consume("rps", amount));
      if (answer instanceof Acquisition.Granted granted) {
        netTokens += ended(granted.lease(), amount, random);
      }
      TimeUnit.MILLISECONDS.sleep(answer instanceof Acquisition.Granted ? pauseMs : 20);
    }
    return netTokens * 1_000;
  }

  /** Ends a lease in one of the ways there are; what it came to. */
  private static long ended(Lease lease, long amount, Random random) {
    int end = random.nextInt(4);
    if (end == 0) {
      lease.cancel();
      return 0;
    }
    long adjust = end == 1 ? -1 : end == 2 ? 2 : 0;
    if (adjust != 0) {
      lease.adjust("rps", adjust);
    }
    lease.close();
    return amount + adjust;
  }

  /**
   * Several workers, started together.
   *
   * @param divided returns when they have loaded the bucket for long enough
   * @param folded returns when they have left it alone for long enough
   */
  static Result runAll(List<Job> jobs, Runnable divided, Runnable folded) throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
      List<BufferedReader> outputs = new ArrayList<>();
      for (Job job : jobs) {
        Process process = start(job);
        processes.add(process);
        outputs.add(process.inputReader(StandardCharsets.UTF_8));
      }
      for (BufferedReader output : outputs) {
        requireStart(output.readLine(), "READY");
      }
      goOn(processes);
      divided.run();
      goOn(processes);
      folded.run();
      goOn(processes);
      Result all = new Result(0, 0, 0, 0);
      for (BufferedReader output : outputs) {
        String line = output.readLine();
        requireStart(line, "END ");
        String[] words = line.split(" ", -1);
        all =
            all.plus(
                new Result(
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4])));
      }
      return all;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static void goOn(List<Process> processes) throws IOException {
    for (Process process : processes) {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }
  }

  private static Process start(Job job) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ShardWorker.class.getName());
    command.addAll(job.toArgs());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void requireStart(String line, String expected) {
    if (line == null || !line.startsWith(expected)) {
      throw new IllegalStateException("a worker said " + line + " instead of " + expected);
    }
  }
}
