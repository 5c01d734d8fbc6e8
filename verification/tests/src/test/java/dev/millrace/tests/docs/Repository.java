package dev.millrace.tests.docs;

import dev.millrace.site.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that the tests run in. */
public final class Repository {
  private Repository() {}

  /** Its first directory. */
  public static Path root() {
    return Checkout.root();
  }

  static String read(String path) throws IOException {
    return Files.readString(root().resolve(path));
  }
}
