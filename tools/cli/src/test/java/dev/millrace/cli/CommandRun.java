package dev.millrace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A run of the command: what it printed and how it ended. */
public record CommandRun(int exitCode, String out, String err) {
  private static final long END_SECONDS = 120;

  /** In this JVM, with nothing in the environment and nobody to ask. */
  public static CommandRun of(String... args) {
    return in(nothing(Map.of()), args);
  }

  /** What is around a command that is given these variables and nothing else. */
  public static Surroundings nothing(Map<String, String> environment) {
    return new Surroundings(
        environment, Path.of("no-home"), question -> Optional.empty(), /* watched= */ false);
  }

  /** In this JVM. */
  public static CommandRun in(Surroundings surroundings, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Millrace.commandLine(surroundings, new PrintWriter(out, true), new PrintWriter(err, true))
            .execute(args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** In a JVM of its own, in a locale without UTF-8. */
  static CommandRun inOwnProcess(Path directory, String... args)
      throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder = process(args);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("did not end within " + END_SECONDS + " s");
    }
    return new CommandRun(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  /** The process, not yet started. */
  public static ProcessBuilder process(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Millrace.class.getName());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  /** The lines that it printed. */
  public List<String> outLines() {
    return out.lines().toList();
  }
}
