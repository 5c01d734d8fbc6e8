package dev.millrace.proving.soak;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.proving.soak.journal.JournalHeader;
import dev.millrace.proving.soak.journal.JournalLine;
import dev.millrace.proving.soak.journal.JournalWriter;
import dev.millrace.proving.soak.journal.OperationOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The soak's own journal: it makes every bucket before anybody is killed, writes down the kills,
 * and claims every bucket once more at the end.
 *
 * <p>With the buckets made and the limits left alone, no worker ever has to resolve a request anew.
 * With the last claim every balance is clipped to its ceiling: a refund may have lifted it.
 */
final class Bookkeeper implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Until a bucket that others have emptied has earned a token. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(20);

  private final BlockingStore store;
  private final RateLimiter limiter;
  private final JournalWriter journal;
  private final List<Long> databaseKillsMs = new ArrayList<>();

  private Bookkeeper(BlockingStore store, RateLimiter limiter, JournalWriter journal) {
    this.store = store;
    this.limiter = limiter;
    this.journal = journal;
  }

  static Bookkeeper open(BlockingStore store, Path directory) {
    LimiterOptions options = LimiterOptions.builder().timeout(TIMEOUT).build();
    JournalHeader header =
        new JournalHeader(
            "soak",
            /* deferred= */ false,
            TIMEOUT.toMillis(),
            options.refillGrain().toMillis(),
            /* transactional= */ false,
            /* aheadMs= */ 0);
    return new Bookkeeper(
        store, RateLimiter.create(store, options), JournalWriter.create(directory, header));
  }

  /** Makes every bucket; what they hold. */
  Map<String, BucketState> opening() throws InterruptedException {
    acquireEverywhere(Map.of(World.FAST, 1L, World.SLOW, 1L));
    return states();
  }

  /** Claims every bucket once more; what they hold. Nothing is written down after this. */
  Map<String, BucketState> closing() throws InterruptedException {
    // Only the fast one: a debt of the slow one may take long to be paid.
    acquireEverywhere(Map.of(World.FAST, 1L));
    Map<String, BucketState> states = states();
    journal.complete();
    return states;
  }

  private void acquireEverywhere(Map<String, Long> tokens) throws InterruptedException {
    List<String> entities = new ArrayList<>(World.KEYS);
    entities.add(World.SOLO);
    for (String entity : entities) {
      AcquireRequest request = AcquireRequest.of(entity, World.RESOURCE);
      for (Map.Entry<String, Long> wanted : tokens.entrySet()) {
        request = request.consume(wanted.getKey(), wanted.getValue());
      }
      long op = journal.beginLease(World.postings(entity, tokens));
      Acquisition answer = limiter.tryAcquire(request, MOST_WAIT);
      if (!(answer instanceof Acquisition.Granted granted)) {
        throw new SoakException("the soak itself was refused: " + answer);
      }
      journal.end(op, OperationOutcome.GRANTED);
      granted.lease().close();
    }
  }

  private Map<String, BucketState> states() {
    Map<String, BucketState> states = new TreeMap<>();
    for (String entity : World.entities()) {
      StoreReply reply = store.execute(new StoreCall.Read(World.key(entity)), TIMEOUT.toMillis());
      if (!(reply instanceof StoreReply.Found found)) {
        throw new SoakException("the bucket of " + entity + " could not be read: " + reply);
      }
      if (found.state() != null) {
        states.put(World.bucket(entity), found.state());
      }
    }
    return states;
  }

  void event(String what) {
    journal.event(what);
  }

  void databaseKilled() {
    databaseKillsMs.add(System.currentTimeMillis());
    journal.event(JournalLine.Event.DATABASE_KILLED);
  }

  void databaseBack() {
    journal.event("database started");
  }

  /** When the database was killed. */
  List<Long> databaseKillsMs() {
    return List.copyOf(databaseKillsMs);
  }

  @Override
  public void close() {
    limiter.close();
    journal.close();
  }
}
