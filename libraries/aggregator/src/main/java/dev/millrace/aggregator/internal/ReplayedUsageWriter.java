package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the usage of replayed records, each with a mark of its own in every window. One at a
 * time: there are few.
 */
final class ReplayedUsageWriter {
  private final UsageStore store;
  private final List<UsageWindow> windows;
  private final AggregatorListeners listeners;

  ReplayedUsageWriter(UsageStore store, List<UsageWindow> windows, AggregatorListeners listeners) {
    this.store = store;
    this.windows = windows;
    this.listeners = listeners;
  }

  /** Writes the usage that {@code batch} has read of {@code letters}. */
  void write(StreamBatch batch, List<DeadLetter> letters) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.reading(i) instanceof RecordContent.Bucket bucket
          && !bucket.consumedMilli().isEmpty()
          && !write(batch, i, bucket, letters.get(i))) {
        return;
      }
    }
  }

  private boolean write(
      StreamBatch batch, int index, RecordContent.Bucket bucket, DeadLetter letter) {
    for (Window missing : letter.windows()) {
      if (windows.stream().noneMatch(window -> window.window().equals(missing))) {
        batch.lacks(index, missing, "the window " + missing + " is not counted here");
      }
    }
    for (UsageWindow window : windows) {
      if (!letter.isMissingIn(window.window())) {
        continue; // it was counted there in its turn
      }
      UsageKey key = StreamProcessor.key(bucket, window);
      UsageWrite write =
          new UsageWrite(
              key,
              bucket.consumedMilli(),
              /* events= */ 1,
              new UsageWrite.Late(bucket.source().stream(), bucket.number()),
              window.expiresAtSeconds(key.startMs()));
      @Nullable Throwable failure = send(batch, index, write);
      if (failure != null) {
        batch.failed(index, failure);
        return false;
      }
    }
    return true;
  }

  private @Nullable Throwable send(StreamBatch batch, int index, UsageWrite write) {
    for (int failures = 1; ; failures++) {
      UsageReply reply;
      try {
        reply = store.apply(write);
      } catch (RuntimeException e) { // a mistake in set-up
        return e;
      }
      if (reply instanceof UsageReply.Applied) {
        batch.applied(index);
        listeners.publish(listener -> listener.onWritten(write));
        return null;
      }
      if (reply instanceof UsageReply.Refused) {
        listeners.publish(listener -> listener.onRefused(write));
        return null; // it has its mark
      }
      if (reply instanceof UsageReply.Corrupt corrupt) {
        batch.lacks(index, write.key().window(), corrupt.error());
        return null;
      }
      UsageReply.Failed failed = (UsageReply.Failed) reply;
      listeners.publish(listener -> listener.onWriteFailed(write, failed.failure()));
      if (failures == UsageApplier.MAX_FAILURES) {
        return UsageApplier.failed(write, failed.failure());
      }
    }
  }
}
