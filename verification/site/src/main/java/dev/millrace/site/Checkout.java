package dev.millrace.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checkout that a process runs in. */
public final class Checkout {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern ARTIFACT =
      Pattern.compile("(?s)(?:<parent>.*?</parent>.*?)?<artifactId>([^<]+)</artifactId>");

  private Checkout() {}

  /** Its first directory, also when the process was started in a module. */
  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".mvn"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException(
            "not run within a checkout: " + Path.of("").toAbsolutePath());
      }
    }
    return directory;
  }

  /** The directories of the modules that every build has, by artifact, as the POM lists them. */
  public static Map<String, Path> modules() throws IOException {
    String pom = Files.readString(root().resolve("pom.xml"));
    String everyBuild = pom.substring(0, pom.indexOf("</modules>"));
    Map<String, Path> modules = new LinkedHashMap<>();
    Matcher module = MODULE.matcher(everyBuild);
    while (module.find()) {
      Path directory = root().resolve(module.group(1));
      modules.put(artifact(Files.readString(directory.resolve("pom.xml"))), directory);
    }
    return modules;
  }

  private static String artifact(String pom) {
    Matcher artifact = ARTIFACT.matcher(pom);
    if (!artifact.find()) {
      throw new IllegalArgumentException("a POM without an artifact: " + pom);
    }
    return artifact.group(1);
  }
}
