package dev.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that this was built as, and the Java that it runs on. */
public final class BuildVersion implements IVersionProvider {
  private static final String RESOURCE = "build.properties";

  /** The version that this was built as. */
  public static String version() throws IOException {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("the build left out " + RESOURCE);
      }
      build.load(in);
    }
    return build.getProperty("version", "unknown");
  }

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"millrace " + version(), "Java " + Runtime.version()};
  }
}
