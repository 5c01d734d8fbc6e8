package dev.millrace.server.observability;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregationOptions;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import io.netty.util.concurrent.EventExecutor;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;

/**
 * A request whose body, when it is there, is heard of by a thread that knows for which trace it
 * works. Otherwise what follows from the body would belong to nobody.
 *
 * <p>The HTTP server's own notion of a current request would not do: requests that share a write
 * are answered by the thread of one of them, and that server refuses to work for another request
 * meanwhile, so the others would never be answered.
 */
final class FollowedRequest implements HttpRequest {
  private final HttpRequest request;
  private final Context context;

  FollowedRequest(HttpRequest request, Context context) {
    this.request = request;
    this.context = context;
  }

  @Override
  public CompletableFuture<AggregatedHttpRequest> aggregate(AggregationOptions options) {
    return followed(request.aggregate(options));
  }

  @Override
  public CompletableFuture<AggregatedHttpRequest> aggregate() {
    return followed(request.aggregate());
  }

  private <T> CompletableFuture<T> followed(CompletableFuture<T> body) {
    CompletableFuture<T> heard = new CompletableFuture<>();
    CompletableFuture<?> unused =
        body.whenComplete(
            (whole, error) ->
                context
                    .wrap(
                        () -> {
                          if (error == null) {
                            heard.complete(whole);
                          } else {
                            heard.completeExceptionally(error);
                          }
                        })
                    .run());
    return heard;
  }

  /** That of the connection: any other would wait for what only that one can bring. */
  @Override
  public EventExecutor defaultSubscriberExecutor() {
    return request.defaultSubscriberExecutor();
  }

  @Override
  public RequestHeaders headers() {
    return request.headers();
  }

  @Override
  public boolean isOpen() {
    return request.isOpen();
  }

  @Override
  public boolean isEmpty() {
    return request.isEmpty();
  }

  @Override
  public long demand() {
    return request.demand();
  }

  @Override
  public CompletableFuture<Void> whenComplete() {
    return request.whenComplete();
  }

  @Override
  public void subscribe(
      Subscriber<? super HttpObject> subscriber,
      EventExecutor executor,
      SubscriptionOption... options) {
    request.subscribe(subscriber, executor, options);
  }

  @Override
  public void abort() {
    request.abort();
  }

  @Override
  public void abort(Throwable cause) {
    request.abort(cause);
  }
}
