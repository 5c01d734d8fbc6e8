package dev.millrace.proving.soak.worker;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.MillraceException;
import dev.millrace.RateLimiter;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.proving.soak.SoakClients;
import dev.millrace.proving.soak.World;
import dev.millrace.proving.soak.journal.JournalWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The main class of a worker process: a limiter and its callers, until a line on its input says to
 * stop. It prints {@link #READY} when it begins, and then what it has done so far.
 *
 * <p>The parent holds the other end of its input. However the parent ends, the operating system
 * closes the pipe, and the end of file is the sign to halt.
 */
public final class SoakWorker {
  /** Printed on a line of its own when the callers begin. */
  public static final String READY = "READY";

  private static final long TELL_MS = 500;

  /** For callers to finish what they are about: many times the limiter's own limit. */
  private static final Duration END = Duration.ofSeconds(30);

  private static final int MOST_DISHONEST_ATTEMPTS = 50;

  private final WorkerSpec spec;
  private final Profile profile;
  private final WorkerTally tally = new WorkerTally();
  private final CountDownLatch stop = new CountDownLatch(1);

  private SoakWorker(WorkerSpec spec) {
    this.spec = spec;
    this.profile = Profile.of(spec.index());
  }

  /** Takes the arguments of a {@link WorkerSpec}. */
  public static void main(String[] args) throws InterruptedException {
    SoakWorker worker = new SoakWorker(WorkerSpec.parse(args));
    Thread watcher = new Thread(worker::watchInput, "parent-watcher");
    watcher.setDaemon(true);
    watcher.start();
    worker.run();
    System.exit(0); // whatever threads a client has left behind
  }

  private void watchInput() {
    int read;
    try {
      read = System.in.read();
    } catch (IOException e) {
      read = -1;
    }
    if (read < 0) {
      Runtime.getRuntime().halt(1); // nobody is there any more
    }
    stop.countDown();
  }

  private boolean isStopped() {
    return stop.getCount() == 0;
  }

  private void run() throws InterruptedException {
    try (JournalWriter journal =
            JournalWriter.create(spec.directory(), profile.header(spec.name()));
        DynamoDbClient client = SoakClients.blocking(spec.endpoint());
        DynamoDbAsyncClient async = SoakClients.async(spec.endpoint())) {
      RateLimiter limiter =
          RateLimiter.create(
              DynamoStore.of(client, async, spec.table()),
              profile.limiter().listener(new TroubleJournal(journal)).build());
      List<Thread> callers = callers(limiter, journal);
      callers.forEach(Thread::start);
      System.out.println(READY);
      while (!stop.await(TELL_MS, TimeUnit.MILLISECONDS)) { // ends: with the parent at the latest
        System.out.println(tally.counts().toLine());
      }
      boolean ended = true;
      for (Thread caller : callers) {
        caller.join(END.toMillis());
        ended &= !caller.isAlive();
      }
      if (spec.dishonest()) {
        chargeUnwritten(limiter);
      }
      limiter.close();
      System.out.println(tally.counts().toLine());
      if (ended) {
        journal.complete();
      }
    }
  }

  private List<Thread> callers(RateLimiter limiter, JournalWriter journal) {
    Door blocking = new Door(limiter, /* async= */ false);
    Door async = new Door(limiter, /* async= */ true);
    boolean ahead = profile == Profile.PREFETCHING;
    TrafficMix busy = ahead ? TrafficMix.AHEAD : TrafficMix.TREE;
    List<SoakCaller> traffics = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(spec.seed());
    traffics.add(traffic(blocking, busy, journal, random));
    traffics.add(traffic(async, busy, journal, random));
    traffics.add(traffic(blocking, ahead ? TrafficMix.AHEAD : TrafficMix.SOLO, journal, random));
    List<Thread> threads = new ArrayList<>();
    for (SoakCaller traffic : traffics) {
      threads.add(new Thread(traffic, "caller-" + threads.size()));
    }
    if (threads.size() != Profile.THREADS) {
      throw new IllegalStateException("callers: " + threads.size());
    }
    return threads;
  }

  private SoakCaller traffic(
      Door door, TrafficMix mix, JournalWriter journal, SplittableRandom random) {
    return new SoakCaller(door, mix, journal, tally, random.split(), this::isStopped);
  }

  /** A charge that no journal knows of. */
  private static void chargeUnwritten(RateLimiter limiter) {
    AcquireRequest request = AcquireRequest.of(World.SOLO, World.RESOURCE).consume(World.SLOW, 1);
    for (int i = 0; i < MOST_DISHONEST_ATTEMPTS; i++) {
      try (Lease lease = limiter.acquire(request, Duration.ofSeconds(1))) {
        lease.adjust(World.SLOW, 1_000_000);
        return;
      } catch (MillraceException | InterruptedException e) {
        // Once more: the store may be busy.
      }
    }
  }
}
