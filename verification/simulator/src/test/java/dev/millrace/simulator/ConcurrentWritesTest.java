package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import org.junit.jupiter.api.Test;

class ConcurrentWritesTest {
  private static final BucketKey KEY = BucketKey.first("default", "key", "chat");
  private static final BucketKey OTHER = BucketKey.first("default", "team", "chat");

  private final ConcurrentWrites writing = new ConcurrentWrites();

  @Test
  void wasTwofold_oneAfterAnother_isFalse() {
    writing.sent(KEY);
    writing.heard(KEY, 10);
    writing.sent(KEY);
    writing.sent(OTHER);
    writing.heard(KEY, 20);

    assertThat(writing.wasTwofold(KEY, 0)).isFalse();
  }

  /** The reply that comes last may be the older one. */
  @Test
  void wasTwofold_twoAtOnce_isTrueUntilTheLastReply() {
    writing.sent(KEY);
    writing.sent(KEY);
    writing.heard(KEY, 10);
    writing.heard(KEY, 20);

    assertThat(writing.wasTwofold(KEY, 19)).isTrue();
    assertThat(writing.wasTwofold(KEY, 20)).isFalse();
  }

  @Test
  void wasTwofold_oneByOneAfterwards_isOfTheEarlierReplies() {
    writing.sent(KEY);
    writing.sent(KEY);
    writing.heard(KEY, 10);
    writing.heard(KEY, 20);
    writing.sent(KEY);
    writing.heard(KEY, 30);

    assertThat(writing.wasTwofold(KEY, 20)).isFalse();
  }
}
