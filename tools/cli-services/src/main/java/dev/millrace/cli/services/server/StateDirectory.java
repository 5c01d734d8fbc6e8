package dev.millrace.cli.services.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The directory of the state of {@code up}, with the secret of its leases. */
record StateDirectory(Path path, String leaseSecret) {
  private static final String SECRET_FILE = "lease.secret";
  private static final int SECRET_BYTES = 32;
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The directory, made when it is missing, and the secret that is kept in it. */
  static StateDirectory open(Path path) {
    try {
      Files.createDirectories(path);
      Path file = path.resolve(SECRET_FILE);
      if (!Files.exists(file)) {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Files.createFile(file, OWNER_ONLY);
        Files.writeString(file, HexFormat.of().formatHex(secret));
      }
      return new StateDirectory(path.toAbsolutePath(), Files.readString(file).strip());
    } catch (IOException e) {
      throw new IllegalArgumentException("--data %s cannot be used: %s".formatted(path, e), e);
    }
  }

  /** Has no secrets. */
  @Override
  public String toString() {
    return "StateDirectory[" + path + "]";
  }
}
