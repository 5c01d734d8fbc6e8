package dev.millrace.deploy.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** AWS's own validator of templates, which knows every type of resource; in Node.js, offline. */
final class Validator {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The first run installs it, perhaps with Node.js. */
  private static final long MAX_SECONDS = 300;

  private final Path directory;
  private final Map<String, String> parameters;

  Validator(Path directory, Map<String, String> parameters) {
    this.directory = directory;
    this.parameters = parameters;
  }

  /** What is wrong with each of {@code templates}; they are validated together, by their names. */
  Map<String, List<String>> validate(Map<String, String> templates)
      throws IOException, InterruptedException {
    Path overrides = directory.resolve("overrides.json");
    Files.writeString(overrides, JSON.writeValueAsString(parameters));
    List<String> command = new ArrayList<>();
    command.add(Path.of("src/test/node/run").toAbsolutePath().toString());
    command.add(Path.of("target/node").toAbsolutePath().toString());
    command.add(overrides.toString());
    for (Map.Entry<String, String> template : templates.entrySet()) {
      Path file = directory.resolve(template.getKey() + ".json");
      Files.writeString(file, template.getValue());
      command.add(file.toString());
    }
    List<String> lines = run(command);
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (String name : templates.keySet()) {
      JsonNode report = JSON.readTree(lines.get(found.size()));
      List<String> wrong = new ArrayList<>();
      report.get("found").forEach(line -> wrong.add(line.asText()));
      if (!report.get("status").asText().equals("OK")) {
        wrong.add(report.get("status").asText());
      }
      found.put(name, wrong);
    }
    return found;
  }

  private List<String> run(List<String> command) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("did not end within " + MAX_SECONDS + " s");
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException(Files.readString(out) + Files.readString(err));
    }
    return Files.readAllLines(out);
  }
}
