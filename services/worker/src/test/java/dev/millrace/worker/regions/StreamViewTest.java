package dev.millrace.worker.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

class StreamViewTest {
  private static final BucketKey KEY = BucketKey.first("default", "acme", "gpt-4");

  private final AtomicLong lagMs = new AtomicLong();
  private final Set<String> open = new HashSet<>(Set.of("a", "b"));
  private final StreamView view = new StreamView(lagMs::get, 10_000);

  @BeforeEach
  void all() {
    view.over(() -> open);
    view.onShardTaken("a");
    view.onShardTaken("b");
  }

  @Test
  void drain_allShardsAreRead_tellsWhatWasWrittenSince() {
    view.onBuckets(List.of(KEY));
    assertThat(view.drain()).as("what was before is not known").isNull();
    assertThat(view.drain()).isEmpty();
    view.onBuckets(List.of(KEY.withShard(3), KEY));
    assertThat(view.drain()).containsExactly(KEY);
    assertThat(view.drain()).isEmpty();
  }

  @Test
  void drain_anotherWorkerReadsAShard_isNeverComplete() {
    open.add("c");
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isNull();
    view.onShardTaken("c");
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isEmpty();
  }

  @Test
  void drain_shardEnded_isIncompleteOnce() {
    view.drain();
    view.onShardLeft("a");
    open.remove("a");
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isEmpty();
  }

  @Test
  void drain_shardWasLostToAnotherWorker_isIncomplete() {
    view.drain();
    view.onShardLeft("a");
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isNull();
  }

  @Test
  void drain_tooLate_isOfNoUseUntilItHasCaughtUp() {
    view.drain();
    view.onBuckets(List.of(KEY));
    lagMs.set(10_001);
    assertThat(view.drain()).isNull();
    lagMs.set(0);
    assertThat(view.drain()).isEmpty();
  }

  @Test
  void drain_moreThanItCanRemember_isIncompleteOnce() {
    view.drain();
    List<BucketKey> many = new ArrayList<>();
    for (int i = 0; i <= StreamView.MAX_BUCKETS; i++) {
      many.add(BucketKey.first("default", "e" + i, "gpt-4"));
    }
    view.onBuckets(many);
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isEmpty();
  }

  @Test
  void drain_streamCannotBeAsked_isIncomplete() {
    view.over(
        () -> {
          throw SdkClientException.create("away");
        });
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isNull();
    view.over(() -> open);
    assertThat(view.drain()).isNull();
    assertThat(view.drain()).isEmpty();
  }
}
