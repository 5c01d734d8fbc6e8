package dev.millrace.cli.services.exact;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that this test started, and what it printed. Ends with {@link #close} at the latest.
 */
public final class Child implements AutoCloseable {
  private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
  private static final List<String> JVM_FLAGS =
      List.of("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final String name;
  private final Path errors;
  private final Process process;
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  private Child(String name, Path errors, Process process) {
    this.name = name;
    this.errors = errors;
    this.process = process;
    Thread reader = new Thread(this::read, "output-of-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  public static Child start(String name, Path directory, Class<?> main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    command.add("-Djava.util.logging.config.file=/dev/null");
    command.add(main.getName());
    command.addAll(args);
    Path errors = directory.resolve(name + ".err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path", ""));
    try {
      return new Child(name, errors, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      reader.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      // It was killed: an end like any other.
    }
  }

  public String name() {
    return name;
  }

  /** Its name and what it said of troubles. */
  public String story() {
    try {
      return name + ": " + Files.readString(errors);
    } catch (IOException e) {
      return name + ": " + e;
    }
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** As {@code kill -9} does, and waits for its death. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitEnd();
  }

  /** As {@code kill} does: it may end in good order. */
  public void terminate() throws InterruptedException {
    process.destroy();
    awaitEnd();
  }

  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(name + " did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
