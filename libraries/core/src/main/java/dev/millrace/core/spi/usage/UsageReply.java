package dev.millrace.core.spi.usage;

import dev.millrace.core.spi.store.StoreFailure;

/** The answer to a write of usage. */
public sealed interface UsageReply {
  /** It was made. */
  record Applied() implements UsageReply {}

  /**
   * Its guard did not hold, so nothing was added.
   *
   * @param item what is there
   */
  record Refused(UsageItem item) implements UsageReply {}

  /**
   * What is there is no usage, or not of the types that can be added to; nothing was added. Nobody
   * but an operator can change that.
   *
   * @param error what is wrong with it
   */
  record Corrupt(String error) implements UsageReply {}

  /** Nobody knows: it may have been made. Sent again, its guard tells. */
  record Failed(StoreFailure failure) implements UsageReply {}
}
