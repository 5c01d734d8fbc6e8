package dev.millrace.tests.linearisability;

import dev.millrace.Limit;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Caller;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.MachineTime;
import dev.millrace.testkit.internal.history.Operation;
import dev.millrace.tests.support.Dynamo;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A process of its own whose callers share a bucket with those of others, and write down what they
 * were told. It is spoken to by lines: {@code clock} answers what its clock says, {@code run} what
 * its callers were told and {@code end}. It ends with its input.
 */
final class HistoryWorker implements AutoCloseable {
  /** What a worker is told at its start. */
  record Job(
      URI endpoint,
      String table,
      String entity,
      String limits,
      long originMs,
      String process,
      int callers,
      int times,
      long seed) {
    List<String> toArgs() {
      return List.of(
          endpoint.toString(),
          table,
          entity,
          limits,
          String.valueOf(originMs),
          process,
          String.valueOf(callers),
          String.valueOf(times),
          String.valueOf(seed));
    }

    static Job of(String[] args) {
      return new Job(
          URI.create(args[0]),
          args[1],
          args[2],
          args[3],
          Long.parseLong(args[4]),
          args[5],
          Integer.parseInt(args[6]),
          Integer.parseInt(args[7]),
          Long.parseLong(args[8]));
    }
  }

  private final Process process;
  private final BufferedReader output;

  private HistoryWorker(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static HistoryWorker start(Job job) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(HistoryWorker.class.getName());
    command.addAll(job.toArgs());
    return new HistoryWorker(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  String hear() throws IOException {
    String line = output.readLine();
    if (line == null) {
      throw new IllegalStateException("a worker ended too early");
    }
    return line;
  }

  /** What its callers were told, once they are done. */
  List<Operation<BucketCall, BucketAnswer>> operations() throws IOException {
    List<Operation<BucketCall, BucketAnswer>> operations = new ArrayList<>();
    for (String line = hear(); !line.equals("end"); line = hear()) {
      operations.add(HistoryLines.parse(line));
    }
    return operations;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] args) throws IOException {
    Job job = Job.of(args);
    MachineTime time = new MachineTime(job.originMs());
    LimiterBucket bucket = LimiterBucket.parse(job.entity(), job.limits());
    HistoryRecorder<BucketCall, BucketAnswer> recorder = new HistoryRecorder<>();
    BlockingStore store = DynamoStore.of(Dynamo.client(job.endpoint()), job.table());
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (RateLimiter limiter = RateLimiter.create(store, LimiterRun.options(time).build())) {
      List<LimiterCaller> callers = new ArrayList<>();
      for (int i = 0; i < job.callers(); i++) {
        CallerId who = new CallerId(job.process(), i);
        callers.add(new LimiterCaller(who, Caller.of(limiter), bucket, recorder));
      }
      limiter.available(
          "warm-up", bucket.resource(), bucket.limits().asList().toArray(Limit[]::new));
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("clock")) {
          System.out.println(System.nanoTime());
          continue;
        }
        Together.run(
            job.callers(),
            number ->
                Habits.ALL.run(
                    callers.get(number),
                    bucket.limits().size(),
                    new SplittableRandom(job.seed() + number),
                    job.times()));
        StringBuilder out = new StringBuilder();
        recorder
            .history()
            .operations()
            .forEach(operation -> out.append(HistoryLines.format(operation)).append('\n'));
        System.out.print(out.append("end\n"));
      }
    }
  }
}
