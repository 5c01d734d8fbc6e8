package dev.millrace.server.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.lease.LeaseSettings;
import dev.millrace.server.problem.BadRequest;
import dev.millrace.server.problem.ProblemException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers of requests that may come again. A repeat under the same key gets the answer of the
 * first, be it still under way; what was not granted is forgotten, so that a repeat tries again.
 */
final class Idempotency {
  /** The header field that names the key. */
  static final String FIELD = "idempotency-key";

  /** Most answers that are remembered; further ones push out the oldest. */
  static final int MAX_ANSWERS = 50_000;

  private static final int MAX_KEY = 255;

  private final Cache<Key, Answer> answers =
      Caffeine.newBuilder()
          .maximumSize(MAX_ANSWERS)
          .expireAfterWrite(LeaseSettings.MAX_TTL)
          .build();

  /** Whose key: others may use the same one. */
  private record Key(String namespace, String caller, String text) {}

  private record Answer(String body, CompletableFuture<AggregatedHttpResponse> response) {}

  /** The answer to a request with this key and body, made by {@code work} when it is new. */
  CompletableFuture<AggregatedHttpResponse> once(
      String namespace,
      String caller,
      @Nullable String key,
      byte[] body,
      Supplier<CompletableFuture<AggregatedHttpResponse>> work) {
    if (key == null) {
      return work.get();
    }
    if (key.isEmpty() || key.length() > MAX_KEY || !key.chars().allMatch(c -> c > 32 && c < 127)) {
      throw BadRequest.field(
          "Idempotency-Key", "must have from 1 to " + MAX_KEY + " visible ASCII characters");
    }
    Key whose = new Key(namespace, caller, key);
    Answer own = new Answer(hash(body), new CompletableFuture<>());
    Answer first = answers.asMap().putIfAbsent(whose, own);
    if (first != null) {
      if (!first.body.equals(own.body)) {
        throw new ProblemException(
            HttpProblem.of(409, "idempotency-key-reused", "The key was used for another request"));
      }
      return first
          .response
          .handle((answer, failure) -> isCancelled(failure))
          .thenCompose(again -> again ? once(namespace, caller, key, body, work) : first.response);
    }
    begin(whose, own, work);
    return own.response;
  }

  /** The first caller went away, and what it would have got was given back: the repeat is new. */
  private static boolean isCancelled(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof CancellationException;
  }

  private void begin(
      Key whose, Answer own, Supplier<CompletableFuture<AggregatedHttpResponse>> work) {
    CompletableFuture<AggregatedHttpResponse> response;
    try {
      response = work.get();
    } catch (RuntimeException e) {
      response = CompletableFuture.failedFuture(e);
    }
    var unused =
        response.whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                answers.asMap().remove(whose, own);
                own.response.completeExceptionally(failure);
              } else {
                own.response.complete(answer);
              }
            });
  }

  private static String hash(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
