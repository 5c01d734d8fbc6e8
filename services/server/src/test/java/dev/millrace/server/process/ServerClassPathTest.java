package dev.millrace.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The run-time class path of a server, as an image has it. */
class ServerClassPathTest {
  private static final Pattern MODULE =
      Pattern.compile(".*/(?:([a-z0-9-]+)/target/classes|millrace-([a-z0-9-]+?)-[0-9].*\\.jar)");

  /** The command-line parser, the stream worker's library, the embedded engine, and test tools. */
  private static final List<String> FOREIGN =
      List.of("picocli", "kinesis", "DynamoDBLocal", "sqlite", "s3proxy", "junit", "assertj");

  private static List<String> entries() throws IOException {
    return Arrays.asList(
        Files.readString(Path.of("target/server.classpath")).strip().split(File.pathSeparator));
  }

  @Test
  void classPath_modulesOfTheProject_areThoseThatAServerUses() throws IOException {
    Set<String> modules = new TreeSet<>();
    for (String entry : entries()) {
      Matcher module = MODULE.matcher(entry);
      if (module.matches()) {
        modules.add(module.group(1) == null ? module.group(2) : module.group(1));
      }
    }
    assertThat(modules)
        .containsExactly(
            "adapters",
            "admin",
            "aggregator",
            "client",
            "core",
            "dynamodb",
            "manifest",
            "regions",
            "s3");
  }

  @Test
  void classPath_jars_areNoneOfCommandsWorkersOrEngines() throws IOException {
    assertThat(entries())
        .hasSizeGreaterThan(50)
        .noneMatch(
            entry -> FOREIGN.stream().anyMatch(Path.of(entry).getFileName().toString()::contains));
  }
}
