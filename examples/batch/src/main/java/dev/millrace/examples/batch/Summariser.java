package dev.millrace.examples.batch;

import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands for the service that is paid by the token. It takes a while, costs less than was estimated
 * or sometimes more, and fails now and then.
 */
final class Summariser {
  private static final int FAILS_EVERY = 67;
  private static final int LEAST_MS = 20;
  private static final int MOST_MS = 80;
  private static final int LEAST_PERCENT = 40;
  private static final int MOST_PERCENT = 120;

  private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

  /** Returns the tokens that the call has really cost; they are the same in every run. */
  long summarise(Document document) throws IOException, InterruptedException {
    Random chance = new Random(document.number());
    TimeUnit.MILLISECONDS.sleep(chance.nextInt(LEAST_MS, MOST_MS));
    if (document.number() % FAILS_EVERY == 0 && failed.add(document.number())) {
      throw new IOException("503 for " + document.name());
    }
    return document.estimatedTokens() * chance.nextInt(LEAST_PERCENT, MOST_PERCENT) / 100;
  }
}
