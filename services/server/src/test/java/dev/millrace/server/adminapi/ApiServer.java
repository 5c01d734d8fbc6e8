package dev.millrace.server.adminapi;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.server.ApiClient;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestParts;
import dev.millrace.server.observability.LiveSnapshot;
import dev.millrace.server.security.Caller;
import dev.millrace.server.security.Guard;
import dev.millrace.server.security.Scope;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The administration on a store in memory, for callers that a test chooses. One serves all tests of
 * a class, because to stop a server takes seconds; each has a namespace of its own.
 */
final class ApiServer implements BeforeEachCallback, AfterAllCallback {
  static final Caller OPERATOR = new Caller("alice", Set.of(Scope.ADMIN), null);

  static final LiveSnapshot LIVE =
      new LiveSnapshot(
          1_000,
          List.of(new LiveSnapshot.Second(1, 10, 2)),
          0.5,
          2.5,
          List.of(
              new LiveSnapshot.Top("default", "acme", "gpt", 500),
              new LiveSnapshot.Top("other", "secret", "gpt", 400)),
          List.of());

  private final AtomicInteger namespaces = new AtomicInteger();
  private final Chosen guard = new Chosen();
  private final ServerParts parts = TestParts.on(new InMemoryStore(), guard);
  private final MillraceServer server =
      MillraceServer.start(
          NetworkSettings.loopback(0),
          parts,
          new ServerLife(),
          List.of(new AdminApi(() -> LIVE, namespace -> null)));

  ServerParts parts() {
    return parts;
  }

  ApiClient client() {
    return new ApiClient(server.uri());
  }

  /** A namespace in which nothing is. */
  String freshNamespace() {
    String name = "test-" + namespaces.incrementAndGet();
    return parts.admin().namespaces().register(name).name();
  }

  /** Sets the caller of all further requests. */
  void calledBy(Caller caller) {
    guard.caller = caller;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    guard.caller = OPERATOR;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    server.close();
  }

  private static final class Chosen extends Guard {
    private volatile Caller caller = OPERATOR;

    @Override
    protected Caller identify(ServiceRequestContext context, RequestHeaders headers) {
      return caller;
    }
  }
}
