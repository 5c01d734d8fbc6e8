package dev.millrace.proving.http;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks a server for tokens over connections that stay open, and its limiter in the same process,
 * one after the other. The difference is what HTTP costs.
 */
public final class HttpLoad {
  private static final RequestHeaders HEAD =
      RequestHeaders.of(
          HttpMethod.POST, TrialServer.acquirePath(), "content-type", MediaType.JSON.toString());

  private final TrialServer server;
  private final int callers;
  private final List<AcquireRequest> requests = new ArrayList<>();
  private final List<HttpData> bodies = new ArrayList<>();
  private final int[] turns;

  /** {@code callers} at a time, who ask for {@code entities} entities in turn. */
  public HttpLoad(TrialServer server, int callers, int entities) {
    this.server = server;
    this.callers = callers;
    this.turns = new int[callers];
    for (int i = 0; i < entities; i++) {
      String entity = "entity-" + i;
      requests.add(AcquireRequest.of(entity, TrialServer.RESOURCE).consume(TrialServer.LIMIT, 1));
      String body =
          "{\"entity\":\"%s\",\"resource\":\"%s\",\"consume\":{\"%s\":1},\"lease\":false}"
              .formatted(entity, TrialServer.RESOURCE, TrialServer.LIMIT);
      bodies.add(HttpData.ofUtf8(body));
    }
  }

  /** A caller begins at an entity of its own, so that not all of them ask for the same one. */
  private int turn(int caller) {
    int turn = turns[caller]++;
    return Math.floorMod(caller + turn, requests.size());
  }

  /** Over HTTP/1.1, a connection for each caller, beside {@code slow} that only take their time. */
  public Figures http(double seconds, int slow) {
    SlowConnections others = new SlowConnections(server.uri(), slow);
    try (ClientFactory factory = ClientFactory.builder().build()) {
      WebClient client =
          WebClient.builder("h1c://" + server.uri().getAuthority()).factory(factory).build();
      String name = slow == 0 ? "http" : "http beside " + slow + " slow connections";
      return new ClosedLoopLoad(
              callers,
              caller ->
                  client
                      .execute(HEAD, bodies.get(turn(caller)))
                      .aggregate()
                      .thenApply(answer -> answer.status().equals(HttpStatus.OK)))
          .run(name, seconds);
    } finally {
      others.close();
    }
  }

  /** The same without HTTP. */
  public Figures inProcess(double seconds) {
    RateLimiter limiter = server.limiter();
    return new ClosedLoopLoad(
            callers,
            caller -> {
              CompletionStage<Acquisition> answer =
                  limiter.tryAcquireAsync(requests.get(turn(caller)));
              return answer.thenCompose(HttpLoad::end);
            })
        .run("in process", seconds);
  }

  private static CompletionStage<Boolean> end(Acquisition answer) {
    if (answer instanceof Acquisition.Granted granted) {
      return granted.lease().closeAsync().thenApply(ended -> true);
    }
    return CompletableFuture.completedFuture(false);
  }
}
