package dev.millrace.proving.soak;

import dev.millrace.proving.soak.ledger.LedgerMismatch;
import dev.millrace.proving.soak.worker.WorkerCounts;
import dev.millrace.proving.soak.worker.WorkerSpec;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All workers, those that live and those that wait for their next life. */
final class Staff implements AutoCloseable {
  /** The seeds of two workers are so far apart that their lives do not share any. */
  private static final long SEEDS_APART = 1_000_000;

  /** A worker's place. */
  private static final class Post {
    WorkerSpec spec;
    @Nullable WorkerProcess process;
    long startAtNanos;

    Post(WorkerSpec spec) {
      this.spec = spec;
    }
  }

  private final List<Post> posts = new ArrayList<>();
  private final List<LedgerMismatch> findings = new ArrayList<>();
  private final Bookkeeper bookkeeper;
  private final Thread shutdownHook = new Thread(this::destroyAll, "soak-stop");
  private WorkerCounts past = WorkerCounts.NONE;

  Staff(SoakSettings settings, URI endpoint, String table, Bookkeeper bookkeeper) {
    this.bookkeeper = bookkeeper;
    for (int i = 0; i < settings.processes(); i++) {
      posts.add(
          new Post(
              new WorkerSpec(
                  i,
                  /* life= */ 1,
                  endpoint,
                  table,
                  settings.directory(),
                  settings.seed() + (i + 1) * SEEDS_APART,
                  settings.dishonest() && i == 0)));
    }
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  void startAll() throws InterruptedException {
    for (Post post : posts) {
      post.process = WorkerProcess.start(post.spec);
    }
    for (Post post : posts) {
      if (post.process != null) {
        post.process.awaitReady();
      }
    }
  }

  /** Starts those whose time has come, and notes those that ended by themselves. */
  void startThoseDue() {
    for (Post post : posts) {
      WorkerProcess process = post.process;
      if (process != null && !process.isAlive()) {
        endedByItself(process);
        await(post, 0);
      }
      if (post.process == null && System.nanoTime() - post.startAtNanos >= 0) {
        post.process = WorkerProcess.start(post.spec);
        bookkeeper.event(post.spec.name() + " started");
      }
    }
  }

  private void endedByItself(WorkerProcess process) {
    findings.add(
        LedgerMismatch.of(
            LedgerMismatch.Kind.PROCESS,
            "%s ended by itself with status %d; see %s.err"
                .formatted(process.name(), process.exitCode(), process.name())));
  }

  private void await(Post post, long downMs) {
    if (post.process != null) {
      past = past.plus(post.process.counts());
    }
    post.process = null;
    post.spec = post.spec.reborn();
    post.startAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(downMs);
  }

  /** Kills one; false when it is dead already. */
  boolean kill(int index, long downMs) throws InterruptedException {
    Post post = posts.get(index);
    WorkerProcess process = post.process;
    if (process == null || !process.isAlive()) {
      return false;
    }
    process.kill();
    bookkeeper.event(process.name() + " killed");
    await(post, downMs);
    return true;
  }

  WorkerCounts counts() {
    WorkerCounts sum = past;
    for (Post post : posts) {
      sum = post.process == null ? sum : sum.plus(post.process.counts());
    }
    return sum;
  }

  /** Stops all in good order; what was wrong with them so far. */
  List<LedgerMismatch> stopAll() throws InterruptedException {
    for (Post post : posts) {
      if (post.process != null) {
        post.process.awaitReady(); // it may just have been started
        post.process.stop();
      }
    }
    for (Post post : posts) {
      WorkerProcess process = post.process;
      if (process != null && !process.awaitStopped()) {
        endedByItself(process);
      }
    }
    return List.copyOf(findings);
  }

  private void destroyAll() {
    for (Post post : posts) {
      if (post.process != null) {
        post.process.destroy();
      }
    }
  }

  @Override
  public void close() {
    destroyAll();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      // The JVM is going down: the hook runs, and finds nobody alive.
    }
  }
}
