package dev.millrace.core.spi.store;

/** A store whose caller waits. */
@FunctionalInterface
public interface BlockingStore {
  /**
   * Makes one round trip. Failures that mean "not available now" are replies; what is thrown is a
   * mistake in set-up or a bug, and must reach the caller whatever its policy.
   *
   * @param timeoutMs longest time to wait for the answer
   */
  StoreReply execute(StoreCall call, long timeoutMs);
}
