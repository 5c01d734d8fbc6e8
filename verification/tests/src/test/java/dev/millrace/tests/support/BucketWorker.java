package dev.millrace.tests.support;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.AdmissionLog;
import dev.millrace.client.support.Load;
import dev.millrace.client.support.OffsetTime;
import dev.millrace.dynamodb.client.DynamoStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A process of its own that loads one bucket and prints what it was admitted: {@code READY} when it
 * could begin, then waits for a line on its input, runs, and prints one line an admission.
 */
public final class BucketWorker {
  /** Stands for the limits that are stored. */
  public static final String STORED = "stored";

  private BucketWorker() {}

  /** What a worker is told. */
  public record Job(
      URI endpoint,
      String table,
      String entity,
      String limits,
      String limit,
      int threads,
      long durationMs,
      long clockOffsetMs,
      boolean correctClock) {
    List<String> toArgs() {
      return List.of(
          endpoint.toString(),
          table,
          entity,
          limits,
          limit,
          String.valueOf(threads),
          String.valueOf(durationMs),
          String.valueOf(clockOffsetMs),
          String.valueOf(correctClock));
    }

    static Job of(String[] args) {
      return new Job(
          URI.create(args[0]),
          args[1],
          args[2],
          args[3],
          args[4],
          Integer.parseInt(args[5]),
          Long.parseLong(args[6]),
          Long.parseLong(args[7]),
          Boolean.parseBoolean(args[8]));
    }
  }

  public static void main(String[] args) throws Exception {
    Job job = Job.of(args);
    AcquireRequest asked = AcquireRequest.of(job.entity(), "gpt-4").consume(job.limit(), 1);
    Limit[] limits =
        job.limits().equals(STORED)
            ? new Limit[0]
            : Arrays.stream(job.limits().split(",", -1))
                .map(LimitNotation::parse)
                .toArray(Limit[]::new);
    AcquireRequest request = limits.length == 0 ? asked : asked.limits(limits);
    LimiterOptions options =
        LimiterOptions.builder()
            .time(new OffsetTime(job.clockOffsetMs()))
            .correctClock(job.correctClock())
            .timeout(Duration.ofMinutes(1)) // a busy machine is not the subject
            .build();
    try (RateLimiter limiter =
        RateLimiter.create(DynamoStore.of(Dynamo.client(job.endpoint()), job.table()), options)) {
      limiter.available(job.entity(), "gpt-4", limits);
      System.out.println("READY");
      if (System.in.read() < 0) {
        return; // nobody is there any more
      }
      Load load = Load.run(limiter, () -> request, job.limit(), job.threads(), job.durationMs());
      StringBuilder out = new StringBuilder();
      for (AdmissionLog.Admission admission : load.admissions().admissions()) {
        out.append("A ")
            .append(admission.calledMs())
            .append(' ')
            .append(admission.returnedMs())
            .append(' ')
            .append(admission.milli())
            .append('\n');
      }
      out.append("LEAST ").append(load.leastRetryAfterMs()).append('\n').append("END\n");
      System.out.print(out);
    }
  }

  /** One worker that is killed once {@code enough} says that it has been at work. */
  public static void runAndKill(Job job, BooleanSupplier enough, Duration deadline)
      throws IOException, InterruptedException {
    Process process = start(job);
    try {
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      expect(output.readLine(), "READY");
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      long endsAtNanos = System.nanoTime() + deadline.toNanos();
      while (!enough.getAsBoolean()) {
        if (System.nanoTime() > endsAtNanos || process.waitFor(20, TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException("the worker did too little, or ended by itself");
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Several workers, started together. */
  public static Result runAll(List<Job> jobs) throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    try {
      List<BufferedReader> outputs = new ArrayList<>();
      for (Job job : jobs) {
        Process process = start(job);
        processes.add(process);
        outputs.add(process.inputReader(StandardCharsets.UTF_8));
      }
      for (BufferedReader output : outputs) {
        expect(output.readLine(), "READY");
      }
      for (Process process : processes) {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      }
      AdmissionLog admissions = new AdmissionLog();
      long least = Long.MAX_VALUE;
      for (BufferedReader output : outputs) {
        String line = output.readLine();
        while (line != null && !line.equals("END")) {
          String[] words = line.split(" ", -1);
          if (words[0].equals("A")) {
            admissions.add(
                Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
          } else {
            least = Math.min(least, Long.parseLong(words[1]));
          }
          line = output.readLine();
        }
        expect(line, "END");
      }
      return new Result(admissions, least);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** What all workers together were admitted. */
  public record Result(AdmissionLog admissions, long leastRetryAfterMs) {}

  private static Process start(Job job) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dhttp.maxConnections=64"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(BucketWorker.class.getName());
    command.addAll(job.toArgs());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static void expect(String line, String expected) {
    if (!expected.equals(line)) {
      throw new IllegalStateException("a worker said " + line + " instead of " + expected);
    }
  }
}
