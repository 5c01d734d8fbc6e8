package dev.millrace.server.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.server.Sha256;
import dev.millrace.server.json.BadRequest;
import dev.millrace.server.json.ProblemException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of responses by idempotency key. A repeat under the same key gets the response to the
 * first request, even if that is still in progress. A request that was not granted is removed, so
 * that a repeat tries again.
 */
final class IdempotentResponses {
  /** The header field that names the key. */
  static final String FIELD = "idempotency-key";

  /** Most responses that are kept; further ones push out the oldest. */
  private static final int MAX_RESPONSES = 50_000;

  private static final int MAX_KEY = 255;

  private final Cache<Key, Entry> entries =
      Caffeine.newBuilder()
          .maximumSize(MAX_RESPONSES)
          .expireAfterWrite(LeaseSettings.MAX_TTL)
          .build();

  /** A key with its owner: others may use the same text. */
  private record Key(String namespace, String caller, String text) {}

  private record Entry(String bodyHash, CompletableFuture<AggregatedHttpResponse> response) {}

  /** The response for this key and body, which {@code work} makes when the key is new. */
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
    Key owned = new Key(namespace, caller, key);
    Entry own = new Entry(Sha256.hex(body), new CompletableFuture<>());
    Entry first = entries.asMap().putIfAbsent(owned, own);
    if (first == null) {
      begin(owned, own, work);
      return own.response;
    }
    if (!first.bodyHash.equals(own.bodyHash)) {
      throw ProblemException.of(
          409, "idempotency-key-reused", "The key was used for another request");
    }
    return first
        .response
        .handle((response, failure) -> isCancelled(failure))
        .thenCompose(again -> again ? once(namespace, caller, key, body, work) : first.response);
  }

  /** The first caller disconnected and its charge was given back: the repeat starts over. */
  private static boolean isCancelled(@Nullable Throwable failure) {
    return failure != null && HttpRefusal.unwrapped(failure) instanceof CancellationException;
  }

  private void begin(Key key, Entry own, Supplier<CompletableFuture<AggregatedHttpResponse>> work) {
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
                entries.asMap().remove(key, own);
                own.response.completeExceptionally(failure);
              } else {
                own.response.complete(answer);
              }
            });
  }
}
