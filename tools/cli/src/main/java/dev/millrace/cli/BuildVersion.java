package dev.millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, and the Java that it runs on. */
public final class BuildVersion implements IVersionProvider {
  private static final String RESOURCE = "build.properties";

  /** The version of this build. */
  public static String version() {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(RESOURCE)) {
      build.load(Objects.requireNonNull(in, "the build left out " + RESOURCE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version", "unknown");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"millrace " + version(), "Java " + Runtime.version()};
  }
}
