package dev.millrace.simulator;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimiterListener;
import dev.millrace.Rejection;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.io.IOException;

/**
 * A listener that throws what a listener must not: exceptions, errors, and checked exceptions that
 * nothing declares, as other languages of the JVM throw them.
 */
final class FailingListener implements LimiterListener {
  private final Chance chance;
  private final int perMille;
  private final Sender sender;

  /**
   * A listener.
   *
   * @param perMille how many of a thousand calls throw
   * @param sender is told of each
   */
  FailingListener(Chance chance, int perMille, Sender sender) {
    this.chance = chance;
    this.perMille = perMille;
    this.sender = sender;
  }

  private void mayThrow() {
    if (!chance.perMille(perMille)) {
      return;
    }
    switch (chance.below(3)) {
      case 0 -> {
        sender.saw(Event.LISTENER_THREW_EXCEPTION);
        throw new IllegalStateException("a listener's exception");
      }
      case 1 -> {
        sender.saw(Event.LISTENER_THREW_ERROR);
        throw new LinkageError("a listener's error");
      }
      default -> {
        sender.saw(Event.LISTENER_THREW_CHECKED);
        FailingListener.<RuntimeException>throwUndeclared(new IOException("undeclared"));
      }
    }
  }

  @SuppressWarnings("unchecked") // that it is none is the point
  private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public void onAdmitted(BucketKey key, Amounts amounts) {
    mayThrow();
  }

  @Override
  public void onRefused(BucketKey key, Rejection rejection) {
    mayThrow();
  }

  @Override
  public void onGivenBack(BucketKey key, int legs) {
    mayThrow();
  }

  @Override
  public void onOutdated(BucketKey key) {
    mayThrow();
  }

  @Override
  public void onGroup(BucketKey key, int requests) {
    mayThrow();
  }

  @Override
  public void onLookUp(int records) {
    mayThrow();
  }

  @Override
  public void onUnknownOutcome(BucketKey key, int count) {
    mayThrow();
  }

  @Override
  public void onLostLock(BucketKey key, int count) {
    mayThrow();
  }

  @Override
  public void onCreated(BucketKey key) {
    mayThrow();
  }

  @Override
  public void onReparameterised(BucketKey key) {
    mayThrow();
  }

  @Override
  public void onSettled(BucketKey key, Amounts amounts) {
    mayThrow();
  }

  @Override
  public void onSettleFailed(BucketKey key, Amounts amounts, StoreFailure failure) {
    mayThrow();
  }

  @Override
  public void onListenerFailed(Throwable thrown) {
    mayThrow();
  }

  @Override
  public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
    mayThrow();
  }
}
