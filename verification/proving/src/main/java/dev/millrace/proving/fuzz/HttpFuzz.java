package dev.millrace.proving.fuzz;

import dev.millrace.proving.http.TrialServer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Sends hostile requests to a server, one after the other, and looks after each whether its answer
 * is one that may be given; and at the end whether the tokens that are left are those that valid
 * requests have left.
 */
public final class HttpFuzz {
  /** Most violations that are told: of a server that is gone there would be as many as requests. */
  private static final int MAX_VIOLATIONS = 20;

  /** After how many requests somebody looks whether the server is alive. */
  private static final int ALIVE_EVERY = 100;

  private final TrialServer server;
  private final RawExchange exchange;
  private final Map<Kind, Map<Integer, Long>> answers = new EnumMap<>(Kind.class);
  private final List<String> violations = new ArrayList<>();
  private long charged;

  /** Against {@code server}, whose ledger nobody else touches. */
  public HttpFuzz(TrialServer server) {
    this.server = server;
    this.exchange = new RawExchange(server.uri());
  }

  /** Sends {@code requests} requests, with the seeds from {@code firstSeed} on. */
  public FuzzReport run(long firstSeed, long requests, LongConsumer progress) {
    long before = tokens();
    long sent = 0;
    while (sent < requests && violations.size() < MAX_VIOLATIONS) {
      send(firstSeed + sent);
      sent++;
      if (sent % ALIVE_EVERY == 0) {
        requireAlive(firstSeed + sent - 1);
        progress.accept(sent);
      }
    }
    long spent = before - tokens();
    if (spent != charged) {
      violations.add(
          "valid requests took %d tokens and the ledger lost %d: one from seed %d on was charged wrongly"
              .formatted(charged, spent, firstSeed));
    }
    return new FuzzReport(firstSeed, sent, answers, violations);
  }

  private void send(long seed) {
    Hostile request = HostileRequests.of(seed);
    FuzzAnswer answer = exchange.send(request);
    answers
        .computeIfAbsent(request.kind(), kind -> new TreeMap<>())
        .merge(answer.status(), 1L, Long::sum);
    if (request.kind() == Kind.VALID && answer.status() == 200) {
      charged += HostileRequests.tokens(seed);
    }
    String insides = answer.insides();
    if (!request.kind().allows(answer.status())) {
      violations.add("seed %d: %s was answered %s".formatted(seed, request.kind(), shown(answer)));
    } else if (insides != null) {
      violations.add(
          "seed %d: the answer to %s tells '%s': %s"
              .formatted(seed, request.kind(), insides, shown(answer)));
    }
  }

  private static String shown(FuzzAnswer answer) {
    String body = answer.body();
    return answer.status() + " " + (body.length() > 300 ? body.substring(0, 300) + "…" : body);
  }

  private void requireAlive(long seed) {
    byte[] bytes =
        "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    FuzzAnswer answer = exchange.send(new Hostile(Kind.VALID, bytes, false));
    if (answer.status() != 200) {
      violations.add("seed %d: the server does not answer any more".formatted(seed));
    }
  }

  private long tokens() {
    return server
        .limiter()
        .available(HostileRequests.LEDGER, TrialServer.RESOURCE)
        .tokens(TrialServer.LIMIT);
  }
}
