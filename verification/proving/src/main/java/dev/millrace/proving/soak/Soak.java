package dev.millrace.proving.soak;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.ledger.Audit;
import dev.millrace.proving.soak.ledger.LedgerMismatch;
import dev.millrace.proving.soak.ledger.MergedJournals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * One soak from beginning to end: set up, kill and freeze for a while, stop, and check the books.
 */
final class Soak {
  private static final String TABLE = "limits";
  private static final long LOOK_MS = 50;

  private final SoakSettings settings;
  private final SoakView view;
  private final long startedNanos = System.nanoTime();

  private Soak(SoakSettings settings, SoakView view) {
    this.settings = settings;
    this.view = view;
  }

  /**
   * Runs one.
   *
   * @throws SoakException if it cannot be run to its end
   * @throws dev.millrace.embedded.EmbeddedEngineException if the database cannot be started
   */
  static SoakResult run(SoakSettings settings, SoakView view)
      throws IOException, InterruptedException {
    return new Soak(settings, view).run();
  }

  private SoakResult run() throws IOException, InterruptedException {
    view.step("starting DynamoDB Local in " + settings.directory());
    try (Database database = Database.start(settings.directory(), view::step)) {
      TableAdmin.of(database.client(), TABLE).createIfMissing();
      BlockingStore store = DynamoStore.of(database.client(), TABLE);
      World.setUp(store);
      try (Bookkeeper bookkeeper = Bookkeeper.open(store, settings.directory());
          AnswerCutter front =
              AnswerCutter.start(
                  database.endpoint(), settings.cutEvery(), new Random(settings.seed()));
          Staff staff = new Staff(settings, front.endpoint(), TABLE, bookkeeper)) {
        Map<String, BucketState> opening = bookkeeper.opening();
        view.step("starting " + settings.processes() + " limiter processes");
        staff.startAll();
        Kills kills = strike(database, staff, bookkeeper);
        view.step("stopping");
        database.awaitUp();
        List<LedgerMismatch> findings = new ArrayList<>(staff.stopAll());
        Map<String, BucketState> closing = bookkeeper.closing();
        view.step("checking the books");
        return result(database, front.cuts(), bookkeeper, kills, findings, opening, closing);
      }
    }
  }

  private Kills strike(Database database, Staff staff, Bookkeeper bookkeeper)
      throws InterruptedException {
    Chaos chaos =
        new Chaos(
            settings.seed(), settings.processes(), settings.killEvery(), settings.databaseEvery());
    Kills kills = Kills.NONE;
    long beganNanos = System.nanoTime();
    Chaos.Strike next = chaos.next();
    long nextMs = next.afterMs();
    boolean wasUp = true;
    long passedMs = 0;
    while (passedMs < settings.length().toMillis()) { // ends: time passes
      if (database.isUp() && !wasUp) {
        database.awaitUp();
        bookkeeper.databaseBack();
      }
      wasUp = database.isUp();
      staff.startThoseDue();
      if (passedMs >= nextMs) {
        if (next.isDatabase() && wasUp && next.isFreeze()) {
          database.freeze(next.downMs());
          bookkeeper.event("database frozen for " + next.downMs() + " ms");
          kills = kills.freeze();
        } else if (next.isDatabase() && wasUp) {
          database.kill(next.downMs());
          bookkeeper.databaseKilled();
          wasUp = false;
          kills = kills.database();
        } else if (!next.isDatabase() && staff.kill(next.target(), next.downMs())) {
          kills = kills.worker();
        }
        next = chaos.next();
        nextMs = passedMs + next.afterMs();
      }
      view.progress(Duration.ofMillis(passedMs), settings.length(), kills, staff.counts());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      passedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    }
    return kills;
  }

  private SoakResult result(
      Database database,
      long cuts,
      Bookkeeper bookkeeper,
      Kills kills,
      List<LedgerMismatch> findings,
      Map<String, BucketState> opening,
      Map<String, BucketState> closing)
      throws IOException {
    MergedJournals books = new MergedJournals(bookkeeper.databaseKillsMs());
    List<Path> journals = journals(settings.directory());
    for (Path file : journals) {
      Journal journal = Journal.read(file);
      books.add(journal);
      findings.addAll(Oddities.in(journal));
    }
    Audit audit = Audit.of(books, opening, closing);
    findings.addAll(audit.findings());
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startedNanos);
    return new SoakResult(
        settings,
        elapsed,
        kills,
        cuts,
        journals.size(),
        books.counts(),
        audit.rows(),
        findings,
        database.lostWrites());
  }

  static List<Path> journals(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(Journal.SUFFIX)).sorted().toList();
    }
  }
}
