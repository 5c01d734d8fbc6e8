package dev.millrace.client.internal.store;

import java.util.Base64;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Gives every write an id that no other write has: 96 bits, drawn anew for each. Short, because it
 * is stored in every bucket; also the token of a transaction.
 *
 * <p>Nothing is kept from one id to the next. Processes that are restored from one snapshot
 * (SnapStart, CRaC) share everything that was in memory, so an id that was put together from a
 * remembered part and a running number would be given twice. By its id a process recognises its own
 * write after a lost answer: with the same id it would take another process's write for its own.
 */
public final class WriteIds implements Supplier<String> {
  private static final int ID_BYTES = 12;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final RandomGenerator random;

  public WriteIds(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String get() {
    byte[] id = new byte[ID_BYTES];
    synchronized (random) { // a generator need not be made for several threads
      random.nextBytes(id);
    }
    return ENCODER.encodeToString(id);
  }
}
