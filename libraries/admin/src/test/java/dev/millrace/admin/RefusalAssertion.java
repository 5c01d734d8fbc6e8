package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.store.StoreReply;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A refusal of a known reason that leaves nothing written. */
final class RefusalAssertion {
  private RefusalAssertion() {}

  static void because(World world, Reason reason, String message, ThrowingCallable change) {
    world.recording.clear();
    assertThatThrownBy(change)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            ChangeRefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(reason));
    assertThat(world.recording.replies())
        .noneMatch(StoreReply.Committed.class::isInstance)
        .noneMatch(StoreReply.Applied.class::isInstance)
        .noneMatch(StoreReply.Erased.class::isInstance);
  }
}
