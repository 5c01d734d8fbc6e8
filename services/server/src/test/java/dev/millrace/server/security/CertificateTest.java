package dev.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.TestParts;
import dev.millrace.server.TestServers;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.testkit.InMemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateTest {
  @TempDir private Path directory;

  @Test
  void request_withACertificate_isThatOfItsSubject() throws Exception {
    Pem own = Pem.make(directory, "server", "CN=localhost");
    Pem client = Pem.make(directory, "client", "CN=gateway,O=Example");
    Path file =
        Files.writeString(
            directory.resolve("keys.yaml"),
            "certificates: [{name: gateway, subject: 'CN=gateway,O=Example', scopes: [acquire]}]");
    try (KeyGuard guard =
            new KeyGuard(
                KeyRing.watch(file, Duration.ofMinutes(1)),
                100,
                InstantSource.system(),
                new SimpleMeterRegistry());
        MillraceServer server = start(guard, own, client)) {
      assertThat(acquire(server, own, client)).isEqualTo(200);
      assertThat(acquire(server, own, null)).isEqualTo(401);
    }
  }

  private static MillraceServer start(KeyGuard guard, Pem own, Pem client) {
    return TestServers.start(
        new NetworkSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new NetworkSettings.Tls(own.certificate(), own.key(), client.certificate()),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            100,
            100),
        TestParts.on(new InMemoryStore(), guard),
        LeaseSettings.defaults());
  }

  private static int acquire(MillraceServer server, Pem trusted, @Nullable Pem client)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri().resolve("/v1/namespaces/default/acquire"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"entity\":\"a\",\"resource\":\"r\",\"consume\":{\"rpm\":1},"
                        + "\"limits\":[{\"name\":\"rpm\",\"rate\":1000}]}"))
            .build();
    return HttpClient.newBuilder()
        .sslContext(context(trusted, client))
        .build()
        .send(request, BodyHandlers.ofString())
        .statusCode();
  }

  private static SSLContext context(Pem trusted, @Nullable Pem client) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted.store());
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(client == null ? null : client.store(), Pem.PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
