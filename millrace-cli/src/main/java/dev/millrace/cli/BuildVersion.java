package dev.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that this was built as, and the Java that it runs on. */
final class BuildVersion implements IVersionProvider {
  private static final String RESOURCE = "build.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException("the build left out " + RESOURCE);
      }
      build.load(in);
    }
    return new String[] {
      "millrace " + build.getProperty("version"), "Java " + Runtime.version(),
    };
  }
}
