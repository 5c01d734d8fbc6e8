package dev.millrace.server.security;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/** A key and a certificate that vouches for itself, made by the JDK's own tool. */
record Pem(Path certificate, Path key, KeyStore store) {
  static final char[] PASSWORD = "changeit".toCharArray();

  static Pem make(Path directory, String name, String subject) throws Exception {
    Path file = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home", ""), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    name,
                    "-keyalg",
                    "EC",
                    "-dname",
                    subject,
                    "-ext",
                    "san=dns:localhost,ip:127.0.0.1",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    file.toString(),
                    "-storepass",
                    new String(PASSWORD)))
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return new Pem(
        write(
            directory.resolve(name + ".crt"),
            "CERTIFICATE",
            store.getCertificate(name).getEncoded()),
        write(
            directory.resolve(name + ".key"),
            "PRIVATE KEY",
            Objects.requireNonNull(store.getKey(name, PASSWORD)).getEncoded()),
        store);
  }

  private static Path write(Path file, String kind, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }
}
