package dev.millrace.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.deploy.cost.Prices;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.internal.ManifestFile;
import dev.millrace.manifest.internal.SpecSink;
import dev.millrace.server.envoy.MappingException;
import dev.millrace.server.envoy.MappingReader;
import dev.millrace.server.security.KeyRing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Data in the documents, read by who reads it in earnest where there is somebody. */
final class DataBlocks {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  private static final Duration NEVER = Duration.ofDays(1);

  private final Path directory;

  /**
   * @param directory for what is only read from files
   */
  DataBlocks(Path directory) {
    this.directory = directory;
  }

  /** What is wrong with the block, empty when nothing is. */
  String problem(CodeBlock block) throws IOException {
    String kind = (block.language() + " " + block.reader()).strip();
    try {
      switch (kind) {
        case "yaml" -> new Yaml(new SafeConstructor(new LoaderOptions())).load(block.text());
        case "yaml manifest" -> new ManifestFile(file(block)).read(new SpecSink() {});
        case "yaml envoy" -> MappingReader.read(block.place(), block.text());
        case "yaml keys" -> KeyRing.watch(file(block), NEVER).close();
        case "json" -> JSON.readTree(block.text());
        case "json prices" -> Prices.read(file(block));
        case "ini profiles" -> profiles(file(block));
        case "xml dependency" -> dependency(block.text());
        default -> {
          return "nothing checks '" + kind + "'";
        }
      }
      return "";
    } catch (YAMLException
        | IllegalArgumentException
        | JsonProcessingException
        | SAXException
        | ManifestException
        | MappingException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private Path file(CodeBlock block) throws IOException {
    return Files.writeString(directory.resolve("block." + block.language()), block.text());
  }

  /** Who asks for a profile that is not there has had the whole file read. */
  private static void profiles(Path file) {
    StringWriter said = new StringWriter();
    ShellBlocks.millrace(Map.of("MILLRACE_PROFILES", file.toString()), said, false)
        .execute("status", "--profile", "none");
    if (!said.toString().contains("profile 'none' is not in")) {
      throw new IllegalArgumentException(said.toString().strip());
    }
  }

  /** Artifacts of ours are modules, and say no version where the BOM says it. */
  private static void dependency(String text) throws IOException, SAXException {
    Document document;
    try {
      document =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(
                  new ByteArrayInputStream(
                      ("<block>" + text + "</block>").getBytes(StandardCharsets.UTF_8)));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
    NodeList dependencies = document.getElementsByTagName("dependency");
    if (dependencies.getLength() == 0) {
      throw new IllegalArgumentException("has no dependency");
    }
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      String artifact = text(dependency, "artifactId");
      if (text(dependency, "groupId").equals("dev.millrace")
          && !Repository.modules().containsKey(artifact)) {
        throw new IllegalArgumentException("there is no module " + artifact);
      }
    }
  }

  private static String text(Element element, String name) {
    return List.of(element.getElementsByTagName(name)).stream()
        .filter(found -> found.getLength() == 1)
        .map(found -> found.item(0).getTextContent().strip())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("a dependency has no " + name));
  }
}
