package dev.millrace.proving.soak;

import dev.millrace.proving.soak.worker.SoakWorker;
import dev.millrace.proving.soak.worker.WorkerCounts;
import dev.millrace.proving.soak.worker.WorkerSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One life of one worker, from outside. */
final class WorkerProcess {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

  /** Longer than a worker gives its callers. */
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);

  private static final List<String> JVM_FLAGS =
      List.of(
          "-Xmx128m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Dhttp.maxConnections=64" // the JDK keeps five idle ones
          );

  private final WorkerSpec spec;
  private final Process process;
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile WorkerCounts counts = WorkerCounts.NONE;

  private WorkerProcess(WorkerSpec spec, Process process) {
    this.spec = spec;
    this.process = process;
    Thread reader = new Thread(this::read, "output-of-" + spec.name());
    reader.setDaemon(true);
    reader.start();
  }

  static WorkerProcess start(WorkerSpec spec) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    command.add(SoakWorker.class.getName());
    command.addAll(spec.toArgs());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(spec.directory().resolve(spec.name() + ".err").toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path", ""));
    try {
      return new WorkerProcess(spec, builder.start());
    } catch (IOException e) {
      throw new SoakException("could not run " + command.get(0), e);
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines
          .lines()
          .forEach(
              line -> {
                if (line.equals(SoakWorker.READY)) {
                  ready.countDown();
                } else if (WorkerCounts.isCounts(line)) {
                  counts = WorkerCounts.parse(line);
                }
              });
    } catch (IOException | UncheckedIOException e) {
      // It was killed: an end like any other.
    } finally {
      ready.countDown();
    }
  }

  void awaitReady() throws InterruptedException {
    if (!ready.await(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) || !process.isAlive()) {
      process.destroyForcibly();
      throw new SoakException(
          "%s did not start; see %s.err"
              .formatted(spec.name(), spec.directory().resolve(spec.name())));
    }
  }

  WorkerSpec spec() {
    return spec;
  }

  String name() {
    return spec.name();
  }

  WorkerCounts counts() {
    return counts;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** Kills it and waits for its death. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new SoakException(spec.name() + " outlived its being killed");
    }
  }

  /** Kills it without waiting: everything is over. */
  void destroy() {
    process.destroyForcibly();
  }

  /** Tells it to stop; see {@link #awaitStopped}. */
  void stop() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It has ended already, which whoever waits for it finds out.
    }
  }

  /** Whether it ended in time and well. */
  boolean awaitStopped() throws InterruptedException {
    if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      return false;
    }
    return process.exitValue() == 0;
  }
}
