package dev.millrace.server.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Ids of leases with a signature. An id holds the server that granted the lease and its address;
 * the signature covers both, and the namespace, so the address of a valid id can be trusted.
 *
 * <p>Format byte, the server's id (8 bytes, new with each start), the length of the address and the
 * address, 16 random bytes, 16 bytes of HMAC-SHA-256; all of it as URL-safe Base64.
 */
final class LeaseIds {
  private static final int MAX_ADDRESS = 200;

  private static final int MAX_ID = 400;

  private static final byte FORMAT = 1;
  private static final int SERVER_BYTES = 8;
  private static final int RANDOM_BYTES = 16;
  private static final int SIGNATURE_BYTES = 16;

  private final SecretKeySpec key;
  private final byte[] server = new byte[SERVER_BYTES];
  private final byte[] address;
  private final SecureRandom random = new SecureRandom();

  LeaseIds(LeaseSettings settings) {
    this.key = settings.secret().key();
    URI advertised = settings.advertised();
    this.address =
        advertised == null
            ? new byte[0]
            : advertised.toString().getBytes(StandardCharsets.US_ASCII);
    if (address.length > MAX_ADDRESS) {
      throw new IllegalArgumentException(
          "advertise '" + advertised + "' has more than " + MAX_ADDRESS + " characters");
    }
    random.nextBytes(server);
  }

  /**
   * The content of a valid id.
   *
   * @param own whether this server granted the lease, since its start
   * @param owner the address of the server that granted it, null if it has none
   */
  record Verified(boolean own, @Nullable URI owner) {}

  /** A new id for a lease in {@code namespace}. */
  String next(String namespace) {
    ByteBuffer id =
        ByteBuffer.allocate(1 + SERVER_BYTES + 1 + address.length + RANDOM_BYTES + SIGNATURE_BYTES);
    byte[] unique = new byte[RANDOM_BYTES];
    random.nextBytes(unique);
    id.put(FORMAT).put(server).put((byte) address.length).put(address).put(unique);
    id.put(signature(Arrays.copyOf(id.array(), id.position()), namespace));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(id.array());
  }

  /** The content of {@code id}, null if the signature is not valid for {@code namespace}. */
  @Nullable Verified verify(String id, String namespace) {
    byte[] bytes = decode(id);
    if (bytes == null || bytes.length <= SIGNATURE_BYTES || bytes[0] != FORMAT) {
      return null;
    }
    int signed = bytes.length - SIGNATURE_BYTES;
    byte[] given = Arrays.copyOfRange(bytes, signed, bytes.length);
    byte[] right = signature(Arrays.copyOf(bytes, signed), namespace);
    return MessageDigest.isEqual(given, right) ? read(bytes) : null;
  }

  private @Nullable Verified read(byte[] bytes) {
    try {
      ByteBuffer id = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
      byte[] owner = new byte[SERVER_BYTES];
      id.get(owner);
      byte[] place = new byte[id.get() & 0xff];
      id.get(place);
      String text = new String(place, StandardCharsets.US_ASCII);
      return new Verified(Arrays.equals(owner, server), text.isEmpty() ? null : new URI(text));
    } catch (BufferUnderflowException | URISyntaxException e) {
      return null; // signed, but of another format
    }
  }

  private byte[] signature(byte[] signed, String namespace) {
    try {
      Mac mac = Mac.getInstance(LeaseSettings.Secret.ALGORITHM);
      mac.init(key);
      mac.update(signed);
      return Arrays.copyOf(
          mac.doFinal(namespace.getBytes(StandardCharsets.UTF_8)), SIGNATURE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Only one text stands for these bytes: what decodes to them otherwise is another id. */
  private static byte @Nullable [] decode(String id) {
    if (id.length() > MAX_ID) {
      return null;
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(id);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(id)
          ? bytes
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
