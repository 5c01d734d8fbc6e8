package dev.millrace.docs;

import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.Millrace;
import dev.millrace.cli.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine;

/**
 * Commands of the documents: {@code ./millrace} is parsed by the command itself, {@code curl} asks
 * for routes that the server has, {@code mvn} names modules, tests and profiles that are there, and
 * what else is started is a file of the repository or a program that everybody has.
 */
final class ShellBlocks {
  private static final String OPENAPI =
      "services/server/src/main/resources/dev/millrace/server/openapi/openapi.yaml";
  private static final Set<String> PROGRAMS =
      Set.of(
          "cat",
          "cd",
          "cp",
          "docker",
          "export",
          "git",
          "gpg",
          "java",
          "mkdir",
          "podman",
          "sed",
          "sha256sum",
          "tee",
          "unzip");
  private static final String INCOMPLETE = "is not complete: ";
  private static final Set<String> CURL_FLAGS = Set.of("-s", "-i", "-sS", "-v", "-N", "-f");

  private final Path root;
  private final Map<String, Map<String, Object>> routes;
  private final List<CommandLine> millrace;

  ShellBlocks() throws IOException {
    this.millrace =
        List.of(
            millrace(Map.of(), Writer.nullWriter(), false),
            millrace(Map.of(), Writer.nullWriter(), true));
    this.root = Repository.root();
    Map<String, Object> api =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Repository.read(OPENAPI));
    @SuppressWarnings("unchecked") // the form of every OpenAPI description
    Map<String, Map<String, Object>> paths =
        (Map<String, Map<String, Object>>) Objects.requireNonNull(api.get("paths"));
    this.routes = paths;
  }

  /** What is wrong with the commands of a sentence, which need not be complete. */
  List<String> problemsWithin(String text) throws IOException {
    return problems(text).stream().filter(problem -> !problem.contains(INCOMPLETE)).toList();
  }

  /** What is wrong with the commands of {@code text}. */
  List<String> problems(String text) throws IOException {
    List<String> problems = new ArrayList<>();
    List<List<String>> commands;
    try {
      commands = ShellText.commands(text);
    } catch (IllegalArgumentException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
    for (List<String> words : commands) {
      List<String> command =
          words.stream().dropWhile(word -> word.equals("$") || word.matches("[A-Z_]+=.*")).toList();
      if (!command.isEmpty()) {
        String problem = problem(command.get(0), command.subList(1, command.size()));
        if (!problem.isEmpty()) {
          problems.add("'" + String.join(" ", command) + "': " + problem);
        }
      }
    }
    return problems;
  }

  private String problem(String program, List<String> arguments) throws IOException {
    return switch (program) {
      case "./millrace" -> millrace(arguments);
      case "curl" -> curl(arguments);
      case "mvn" -> mvn(arguments);
      default -> {
        if (PROGRAMS.contains(program)) {
          yield "";
        }
        boolean ours = program.contains("/") && Files.isExecutable(root.resolve(program));
        yield ours ? "" : "no program that everybody has, and no file of the repository";
      }
    };
  }

  /** What is wrong with lines that show what a command can be told, as {@code --help} does. */
  List<String> synopsisProblems(String text) {
    List<String> problems = new ArrayList<>();
    for (String line : text.replaceAll("\\n\\s+", " ").lines().toList()) {
      List<String> words = List.of(line.split("[\\s\\[\\]|]+", -1));
      CommandLine command = millrace.get(1);
      for (String word : words.subList(1, words.size())) {
        CommandLine sub = command.getSubcommands().get(word);
        command = sub == null ? command : sub;
      }
      for (String word : words) {
        if (word.startsWith("--") && !command.getCommandSpec().optionsMap().containsKey(word)) {
          problems.add(
              "'%s' has no option %s".formatted(command.getCommandSpec().qualifiedName(), word));
        }
      }
      if (!words.get(0).equals("./millrace") || command.getParent() == null) {
        problems.add("'" + line.strip() + "' names no command");
      }
    }
    return problems;
  }

  /**
   * The command, with this environment and what it prints going to {@code output}. Two modules have
   * a command of the same name; {@code ./millrace} takes one or the other.
   *
   * @param prefersLater whether the one that is found later is taken
   */
  static CommandLine millrace(
      Map<String, String> environment, Writer output, boolean prefersLater) {
    Map<String, ExtraCommand> extras = new LinkedHashMap<>();
    for (ExtraCommand extra : ServiceLoader.load(ExtraCommand.class)) {
      Object command = extra.command();
      String name =
          (command instanceof CommandLine line ? line : new CommandLine(command)).getCommandName();
      extras.merge(name, extra, (one, other) -> prefersLater ? other : one);
    }
    PrintWriter printer = new PrintWriter(output, true);
    return Millrace.commandLine(
        new Surroundings(environment, Path.of(""), question -> Optional.empty(), false),
        extras.values(),
        printer,
        printer);
  }

  /** Parsed as the command does, and not run. */
  private String millrace(List<String> arguments) {
    String[] words =
        arguments.stream()
            .takeWhile(word -> !word.startsWith(">") && !word.equals("<"))
            .toArray(String[]::new);
    String problem = "";
    for (CommandLine line : millrace) {
      try {
        line.parseArgs(words);
        return "";
      } catch (CommandLine.MissingParameterException e) {
        return INCOMPLETE + e.getMessage();
      } catch (CommandLine.ParameterException e) {
        problem = String.valueOf(e.getMessage());
      }
    }
    return problem;
  }

  private String curl(List<String> arguments) {
    String method = "";
    String url = "";
    boolean sends = false;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      switch (argument) {
        case "-X" -> method = arguments.get(++i);
        case "-H", "--cacert", "-o" -> i++;
        case "-d", "--data" -> {
          i++;
          sends = true;
        }
        default -> {
          if (!CURL_FLAGS.contains(argument)) {
            url = argument;
          }
        }
      }
    }
    String path = URI.create(url.replaceAll("\\$\\{?(\\w+)}?", "$1")).getPath();
    String asked = method.isEmpty() ? (sends ? "post" : "get") : method.toLowerCase(Locale.ROOT);
    boolean found =
        routes.entrySet().stream()
            .anyMatch(
                route ->
                    route.getValue().containsKey(asked)
                        && path.matches(
                            Pattern.compile("\\{\\w+}")
                                .matcher(route.getKey())
                                .replaceAll("[^/]+")));
    return found ? "" : "the server has no route " + asked + " " + path;
  }

  private String mvn(List<String> arguments) throws IOException {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("-pl")) {
        for (String module : arguments.get(++i).split(",", -1)) {
          if (!module.startsWith(":") || !Repository.modules().containsKey(module.substring(1))) {
            return "there is no module " + module;
          }
        }
      } else if (argument.startsWith("-P") && !hasProfile(argument.substring(2))) {
        return "there is no profile " + argument.substring(2);
      } else if (argument.startsWith("-Dtest=")) {
        String test = argument.substring("-Dtest=".length());
        if (!hasTest(test)) {
          return "there is no test " + test;
        }
      }
    }
    return "";
  }

  private boolean hasProfile(String name) throws IOException {
    List<Path> poms = new ArrayList<>(Repository.modules().values());
    poms.add(root);
    for (Path directory : poms) {
      if (Files.readString(directory.resolve("pom.xml")).contains("<id>" + name + "</id>")) {
        return true;
      }
    }
    return false;
  }

  boolean hasTest(String name) throws IOException {
    try (Stream<Path> examples = Files.list(root.resolve("examples"))) {
      List<Path> all =
          Stream.concat(Repository.modules().values().stream(), examples)
              .map(module -> module.resolve("src/test/java"))
              .toList();
      for (Path tests : all) {
        if (!Files.isDirectory(tests)) {
          continue;
        }
        try (Stream<Path> files = Files.walk(tests)) {
          if (files.anyMatch(file -> file.endsWith(name + ".java"))) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
