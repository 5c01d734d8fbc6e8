package dev.millrace.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;

/** Runs the command as a user would. */
record Bencher(int exitCode, String out, String err) {
  static Bencher bench(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(new BenchCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Bencher(exitCode, out.toString(), err.toString());
  }

  static Bencher bench(String[] args, String last) {
    String[] all = Arrays.copyOf(args, args.length + 1);
    all[args.length] = last;
    return bench(all);
  }

  /** The last line of the output. */
  JsonNode json() {
    List<String> lines = out.lines().toList();
    try {
      return new ObjectMapper().readTree(lines.get(lines.size() - 1));
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + out, e);
    }
  }
}
