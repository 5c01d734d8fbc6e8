package dev.millrace.proving.fuzz;

import dev.millrace.proving.http.TrialServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Makes requests from a seed; the same seed, the same request. */
final class HostileRequests {
  /** Whose tokens are counted: only valid requests may change them. */
  static final String LEDGER = "ledger";

  /** What a valid request takes, at most. */
  private static final int MAX_VALID = 5;

  private static final Kind[] KINDS = Kind.values();
  private static final String GOOD =
      "{\"entity\":\"%s\",\"resource\":\"%s\",\"consume\":{\"%s\":%s},\"lease\":false}";
  private static final String[] BROKEN_JSON = {
    "",
    "{",
    "}",
    "[]",
    "null",
    "\"text\"",
    "0",
    "{\"entity\":}",
    "{\"entity\":\"ledger\"",
    "{'entity':'ledger'}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":1},}",
    "{\"entity\":\"ledger\",\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":1}}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":1}} {}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":[1]}",
    "{\"entity\":[\"ledger\"],\"resource\":\"api\",\"consume\":{\"tokens\":1}}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":\"1\"}}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":1},\"admin\":true}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{}}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":1},\"ttl\":\"soon\"}",
    "{\"entity\":\"ledger\",\"resource\":\"api\",\"consume\":{\"tokens\":1},\"lease\":\"no\"}",
    "<entity>ledger</entity>"
  };
  private static final String[] NUMBERS = {
    "9223372036854775808",
    "-9223372036854775809",
    "1e400",
    "1.5",
    "-1",
    "1000000000000001",
    "9999999999999999",
    "NaN",
    "Infinity",
    "0x10",
    "1e-400",
    "00",
    "1_000",
    "true"
  };
  private static final String[] PATHS = {
    "/..%2f..%2fetc/passwd",
    "/v1/namespaces/../../../etc/passwd",
    "/v1/namespaces/%00/acquire",
    "/v1/namespaces/default%2facquire",
    "//v1//namespaces//default//acquire",
    "/v1/namespaces/default/acquire/../../../health/..;/x",
    "/%c0%ae%c0%ae/",
    "/v1/namespaces/" + "a".repeat(3_000) + "/x",
    "/v1/namespaces/%zz/x",
    "*",
    "http://elsewhere.example/v1/namespaces/default/x",
    "/v1/namespaces/default/entities/a%23b/availability/x y",
    "/\\..\\..\\x",
    "/?a=b&%%%",
    "/v1/namespaces/default/leases/%2e%2e/settle"
  };
  private static final String[] LENGTHS = {
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Content-Length: 1\r\nContent-Length: 2",
    "Content-Length: ten",
    "Content-Length: 1048576000",
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: gzip"
  };
  private static final String[] METHODS = {
    "DELETE", "PATCH", "TRACE", "CONNECT", "BREW", "get", "P\u0001ST", "OPTIONS *", "PUT"
  };
  private static final String[] HOSTS = {
    "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example"
  };

  private HostileRequests() {}

  static Hostile of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Kind kind = KINDS[random.nextInt(KINDS.length)];
    return switch (kind) {
      case VALID -> post(kind, good(String.valueOf(1 + random.nextInt(MAX_VALID))));
      case MALFORMED_JSON -> post(kind, pick(random, BROKEN_JSON));
      case DEEP_JSON -> post(kind, deep(random));
      case BAD_UTF8 -> badUtf8(random);
      case HUGE_NUMBERS -> post(kind, good(number(random)));
      case TRUNCATED -> truncated(random);
      case HEADER_FLOOD -> headerFlood(random);
      case WRONG_LENGTH -> wrongLength(random);
      case PATH_TRICKS -> get(kind, "GET", pick(random, PATHS), "localhost");
      case ODD_METHOD -> get(kind, pick(random, METHODS), TrialServer.acquirePath(), "localhost");
      case FORGED_LEASE -> forgedLease(random);
      case BAD_NAMES -> badNames(random);
      case FOREIGN_HOST -> get(kind, "GET", "/metrics", pick(random, HOSTS));
      case ADMIN_WRITE -> HostileAdministration.write(random);
      case ADMIN_QUESTION -> HostileAdministration.question(random);
      case HTTP2_GARBAGE -> http2(random);
      case NOISE -> new Hostile(kind, noise(random, 1 + random.nextInt(2_000)), true);
    };
  }

  /** How many tokens a valid request takes. */
  static long tokens(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return KINDS[random.nextInt(KINDS.length)] == Kind.VALID ? 1 + random.nextInt(MAX_VALID) : 0;
  }

  private static String good(String amount) {
    return GOOD.formatted(LEDGER, TrialServer.RESOURCE, TrialServer.LIMIT, amount);
  }

  private static String number(SplittableRandom random) {
    return random.nextInt(4) == 0 ? "9".repeat(20 + random.nextInt(2_000)) : pick(random, NUMBERS);
  }

  private static String deep(SplittableRandom random) {
    String open = random.nextBoolean() ? "[" : "{\"a\":";
    return open.repeat(100 + random.nextInt(5_000));
  }

  private static Hostile badUtf8(SplittableRandom random) {
    byte[] body = good("1").getBytes(StandardCharsets.UTF_8);
    int at = new String(body, StandardCharsets.UTF_8).indexOf(LEDGER);
    body[at + random.nextInt(LEDGER.length())] = (byte) (0x80 + random.nextInt(0x80));
    return post(Kind.BAD_UTF8, TrialServer.acquirePath(), body, body.length, false);
  }

  private static Hostile truncated(SplittableRandom random) {
    byte[] body = good("1").getBytes(StandardCharsets.UTF_8);
    int kept = random.nextInt(body.length);
    byte[] part = java.util.Arrays.copyOf(body, kept);
    return post(Kind.TRUNCATED, TrialServer.acquirePath(), part, body.length, true);
  }

  private static Hostile headerFlood(SplittableRandom random) {
    StringBuilder text = new StringBuilder("GET /health HTTP/1.1\r\nHost: localhost\r\n");
    if (random.nextBoolean()) {
      for (int i = 0; i < 2_000; i++) {
        text.append("X-").append(i).append(": ").append(i).append("\r\n");
      }
    } else {
      text.append("X: ").append("x".repeat(20_000 + random.nextInt(100_000))).append("\r\n");
    }
    return new Hostile(Kind.HEADER_FLOOD, ascii(text.append("\r\n").toString()), false);
  }

  private static Hostile wrongLength(SplittableRandom random) {
    return new Hostile(
        Kind.WRONG_LENGTH,
        ascii(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n\r\n{}"
                .formatted(TrialServer.acquirePath(), pick(random, LENGTHS))),
        true);
  }

  private static Hostile forgedLease(SplittableRandom random) {
    String id =
        switch (random.nextInt(4)) {
          case 0 -> "x";
          case 1 -> Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(20));
          case 2 -> "%2e%2e%2f" + random.nextInt();
          default -> java.util.Base64.getUrlEncoder().encodeToString(noise(random, 48));
        };
    String[] verbs = {"settle", "release", "consume", "adjust", "extend"};
    String path =
        TrialServer.acquirePath().replace("acquire", "leases/" + id + "/" + pick(random, verbs));
    return post(Kind.FORGED_LEASE, path, ascii("{}"), 2, false);
  }

  private static Hostile badNames(SplittableRandom random) {
    String[] names = {
      "", "#", "a#b", "_x", "$x", " ", "a b", "é", "..", "x".repeat(300), "\\u0000"
    };
    String name = pick(random, names);
    String body = GOOD.formatted(name, TrialServer.RESOURCE, TrialServer.LIMIT, "1");
    return post(Kind.BAD_NAMES, body);
  }

  private static Hostile http2(SplittableRandom random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    bytes.writeBytes(noise(random, 9 + random.nextInt(200)));
    return new Hostile(Kind.HTTP2_GARBAGE, bytes.toByteArray(), true);
  }

  private static Hostile post(Kind kind, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return post(kind, TrialServer.acquirePath(), bytes, bytes.length, false);
  }

  /** {@code body} as it is, by any method. */
  static Hostile sent(Kind kind, String method, String path, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return sent(kind, method, path, bytes, bytes.length, false);
  }

  private static Hostile post(Kind kind, String path, byte[] body, int length, boolean ends) {
    return sent(kind, "POST", path, body, length, ends);
  }

  private static Hostile sent(
      Kind kind, String method, String path, byte[] body, int length, boolean ends) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(
        ascii(
            "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                .formatted(method, path, length)));
    bytes.writeBytes(body);
    return new Hostile(kind, bytes.toByteArray(), ends);
  }

  static Hostile get(Kind kind, String method, String path, String host) {
    return new Hostile(
        kind, ascii("%s %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(method, path, host)), false);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] noise(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String pick(SplittableRandom random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}
