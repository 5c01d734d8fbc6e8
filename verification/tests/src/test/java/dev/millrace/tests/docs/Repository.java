package dev.millrace.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The checkout that the tests run in. */
public final class Repository {
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Repository() {}

  /** Its first directory; tests run in the directory of their module. */
  public static Path root() {
    return Path.of("../..").toAbsolutePath().normalize();
  }

  /** The directories of the modules that every build has, as the POM lists them. */
  public static List<Path> modules() throws IOException {
    String pom = read("pom.xml");
    return MODULE
        .matcher(pom.substring(0, pom.indexOf("</modules>")))
        .results()
        .map(module -> root().resolve(module.group(1)))
        .toList();
  }

  static String read(String path) throws IOException {
    return Files.readString(root().resolve(path));
  }
}
