package dev.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SharedEngineIT {

  @AfterEach
  void forgetNamedEndpoint() {
    System.clearProperty(SharedEngine.ENDPOINT_PROPERTY);
  }

  @Test
  void endpoint_askedTwice_isOneEngine() throws IOException, InterruptedException {
    URI first = SharedEngine.endpoint();

    assertThat(SharedEngine.endpoint()).isEqualTo(first);
    assertThat(RawDynamo.listTables(first)).contains("TableNames");
  }

  @Test
  void endpoint_named_isUsedInstead() {
    System.setProperty(SharedEngine.ENDPOINT_PROPERTY, "http://127.0.0.1:1");

    assertThat(SharedEngine.endpoint()).isEqualTo(URI.create("http://127.0.0.1:1"));
  }

  @Test
  void endpoint_namedWithoutScheme_refused() {
    System.setProperty(SharedEngine.ENDPOINT_PROPERTY, "localhost");

    assertThatThrownBy(SharedEngine::endpoint)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("millrace.engine.endpoint is not an address")
        .hasMessageContaining("localhost");
  }
}
