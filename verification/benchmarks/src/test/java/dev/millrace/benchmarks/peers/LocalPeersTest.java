package dev.millrace.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits are far above any load: a peer that refuses is set up wrongly. */
final class LocalPeersTest {
  static List<Peer> peers() {
    InMemoryStore memory = new InMemoryStore();
    return List.of(
        new Bucket4jLocal(),
        new Resilience4jLocal(),
        new GuavaLocal(),
        new Ours("ours", Peer.Scope.LOCAL, options -> RateLimiter.create(memory, options)));
  }

  @ParameterizedTest
  @MethodSource("peers")
  void ask_oneKeyAndMany_isAdmitted(Peer peer) {
    Ask hot = peer.ask(List.of("tenant"));
    Ask spread = peer.ask(IntStream.range(0, 100).mapToObj(i -> "tenant-" + i).toList());
    assertThat(peer.name()).isNotBlank();
    for (int i = 0; i < 1_000; i++) {
      assertThat(hot.ask()).isTrue();
      assertThat(spread.ask()).isTrue();
    }
  }
}
