package dev.millrace.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The tables of modules in the architecture say what the POMs say. */
class ModuleTablesTest {
  private static final String PAGE = "docs/design/architecture.md";
  private static final String HOLDS = "| module | holds |";
  private static final String DEPENDS_ON = "| module | depends on | and outside the project |";

  private static final String PREFIX = "millrace-";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Several modules in one row; what each needs is in its own README. */
  private static final String EXAMPLES = "examples";

  static List<String> modules() throws Exception {
    return Repository.modules().stream()
        .map(directory -> directory.getFileName().toString())
        .map(name -> name.equals(EXAMPLES) ? name : PREFIX + name)
        .toList();
  }

  @Test
  void holds_namesEveryModuleOnce() throws Exception {
    assertThat(firstCells(HOLDS)).containsExactlyInAnyOrderElementsOf(modules());
  }

  @Test
  void dependsOn_namesEveryModuleOnce() throws Exception {
    assertThat(firstCells(DEPENDS_ON))
        .map(name -> name.equals(EXAMPLES) ? name : PREFIX + name)
        .containsExactlyInAnyOrderElementsOf(modules());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void dependsOn_namesWhatTheModuleDependsOn(String module) throws Exception {
    if (module.equals(EXAMPLES)) {
      return;
    }
    String cell = dependsOn(module.substring(PREFIX.length()));

    assertThat(named(cell)).as(cell).isEqualTo(dependencies(module));
  }

  private static List<String> firstCells(String header) throws IOException {
    return Markdown.table(Repository.read(PAGE), header).stream()
        .map(row -> row.get(0).replace("`", ""))
        .toList();
  }

  private static String dependsOn(String module) throws IOException {
    return Markdown.table(Repository.read(PAGE), DEPENDS_ON).stream()
        .filter(row -> row.get(0).equals("`" + module + "`"))
        .map(row -> row.get(1))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> named(String cell) {
    Set<String> names = new TreeSet<>();
    CODE.matcher(cell).results().map((MatchResult code) -> code.group(1)).forEach(names::add);
    return names;
  }

  /** The modules of the project that a module's users get with it, optional ones too. */
  private static Set<String> dependencies(String module) throws Exception {
    Set<String> names = new TreeSet<>();
    Path directory =
        Repository.modules().stream()
            .filter(path -> path.endsWith(module.substring(PREFIX.length())))
            .findFirst()
            .orElseThrow();
    for (Element list : children(pom(directory), "dependencies")) {
      for (Element dependency : children(list, "dependency")) {
        String artifact = text(dependency, "artifactId");
        if (text(dependency, "groupId").equals("dev.millrace")
            && !text(dependency, "scope").equals("test")) {
          names.add(artifact.substring(PREFIX.length()));
        }
      }
    }
    return names;
  }

  private static Element pom(Path directory) throws Exception {
    try (var stream = Files.newInputStream(directory.resolve("pom.xml"))) {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(stream)
          .getDocumentElement();
    }
  }

  private static String text(Element parent, String name) {
    return children(parent, name).stream()
        .map(child -> child.getTextContent().strip())
        .findFirst()
        .orElse("");
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        children.add(element);
      }
    }
    return children;
  }
}
