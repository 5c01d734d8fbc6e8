package dev.millrace.embedded;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One child process on one port, from launch to end.
 *
 * <p>The {@link Process} is held for as long as the engine is wanted: it holds the pipe whose end
 * makes the child halt (see {@link EngineChild}). No other process keeps that pipe open, since Java
 * closes all but the standard streams in every child it starts.
 */
final class EngineProcess {

  /**
   * The time limit from launch to the first HTTP answer; measured: about 1 s, 3 s on a busy
   * machine.
   */
  static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  /** The time limit for an orderly end, after which the process is killed. */
  static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

  /**
   * Little memory and no collector threads, beside tests that need the cores. Not the first
   * compiler alone ({@code TieredStopAtLevel=1}): it starts no faster beyond noise, and after 20 s
   * serves 2,200 updates a second where both compilers serve 3,300.
   */
  private static final List<String> JVM_FLAGS = List.of("-Xmx512m", "-XX:+UseSerialGC");

  /**
   * The environment variable with further flags. Tests that start an engine for a few calls name
   * the first compiler: together they use a third less of the processor then.
   */
  static final String FLAGS_VARIABLE = "MILLRACE_ENGINE_JVM";

  private final Process process;
  private final DrainedOutput output;
  private final URI endpoint;
  private final CompletableFuture<Boolean> listening = new CompletableFuture<>();

  private EngineProcess(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
    this.output =
        new DrainedOutput(
            process,
            line -> {
              if (line.equals(EngineChild.LISTENING)) {
                listening.complete(true);
              }
            },
            () -> listening.complete(false));
  }

  /**
   * Starts the child; {@code storage} is the part of its command line with the place of storage.
   */
  static EngineProcess launch(String engineClasspath, List<String> storage, int port) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(JVM_FLAGS);
    String further = System.getenv(FLAGS_VARIABLE);
    if (further != null && !further.isBlank()) {
      command.addAll(List.of(further.strip().split("\\s+", -1)));
    }
    command.add(EngineChild.class.getName());
    command.addAll(storage);
    // One database whatever the credentials and the region of the caller.
    command.add("-sharedDb");
    command.add("-disableTelemetry");
    command.addAll(List.of("-port", Integer.toString(port)));

    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Not -cp: some 8,000 characters that would hide the other arguments in a process list.
    // Ours comes last, so that in a fat jar no library of ours hides one of the engine's.
    builder.environment().put("CLASSPATH", engineClasspath + File.pathSeparator + ownLocation());
    builder.environment().put("DDB_LOCAL_TELEMETRY", "0");
    try {
      return new EngineProcess(builder.start(), URI.create("http://127.0.0.1:" + port));
    } catch (IOException e) {
      throw new EmbeddedEngineException("Could not run " + command.get(0), e);
    }
  }

  /**
   * Waits until the engine answers over HTTP.
   *
   * @return false when another process had taken the port: choose another and launch again
   */
  boolean awaitReady() {
    long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
    try {
      if (listening.get(START_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        probe(deadlineNanos - System.nanoTime());
        return true;
      }
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        stop(); // its output is closed and yet it is alive
      }
      if (process.exitValue() == EngineChild.EXIT_PORT_TAKEN) {
        return false;
      }
      throw new EmbeddedEngineException(
          "DynamoDB Local ended with status %d instead of starting. The end of its output:\n%s"
              .formatted(process.exitValue(), output.tail()));
    } catch (TimeoutException | ExecutionException | IOException e) {
      stop();
      throw new EmbeddedEngineException(
          "DynamoDB Local did not answer at %s within %d s. The end of its output:\n%s"
              .formatted(endpoint, START_TIMEOUT.toSeconds(), output.tail()),
          e);
    } catch (InterruptedException e) {
      stop();
      throw EmbeddedEngineException.interrupted("DynamoDB Local started", e);
    }
  }

  /** Any status is an answer; without credentials it is 400. */
  private void probe(long remainingNanos) throws IOException {
    int remainingMs = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(remainingNanos));
    HttpURLConnection connection =
        (HttpURLConnection) endpoint.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(remainingMs);
    connection.setReadTimeout(remainingMs);
    connection.getResponseCode();
    connection.disconnect();
  }

  /** Requests an orderly end, waits, then kills the child. Harmless when it has ended. */
  void stop() {
    // Through the handle: Process.destroy would also close the pipe, and so halt the child in the
    // middle of an orderly end.
    process.toHandle().destroy();
    try {
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Kills the child, and waits for its end. Harmless when it has ended. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  URI endpoint() {
    return endpoint;
  }

  long pid() {
    return process.pid();
  }

  /** The jar or the directory that {@link EngineChild} was loaded from. */
  private static Path ownLocation() {
    CodeSource source = EngineChild.class.getProtectionDomain().getCodeSource();
    try {
      Path location = Path.of(source.getLocation().toURI());
      if (Files.exists(location)) {
        return location;
      }
    } catch (URISyntaxException | RuntimeException e) {
      throw new EmbeddedEngineException("Not loaded from a file: " + source, e);
    }
    throw new EmbeddedEngineException("No longer there: " + source.getLocation());
  }
}
