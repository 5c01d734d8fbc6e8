package dev.millrace.proving.soak;

import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.ledger.LedgerMismatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The lines of the journals to look at first when something was found: those of the interval in
 * question, else those that move exactly as much as is missing, else the last ones of the account.
 */
final class Excerpt {
  static final int MOST_LINES = 12;

  private Excerpt() {}

  static List<String> of(LedgerMismatch finding, List<Path> journals) throws IOException {
    Account account = finding.account();
    if (account == null) {
      return List.of();
    }
    List<String> exact = new ArrayList<>();
    Deque<String> last = new ArrayDeque<>();
    String charged = " " + account + "=" + finding.offMilli();
    String givenBack = " " + account + "=-" + finding.offMilli();
    for (Path file : journals) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .filter(line -> line.contains(" " + account.bucket()) && isWithin(finding, line))
            .forEach(
                line -> {
                  String shown = file.getFileName() + ": " + line;
                  if (exact.size() < MOST_LINES
                      && ((line + " ").contains(charged + " ")
                          || (line + " ").contains(givenBack + " "))) {
                    exact.add(shown);
                  }
                  if (last.size() == MOST_LINES) {
                    last.removeFirst();
                  }
                  last.addLast(shown);
                });
      }
    }
    return exact.isEmpty() ? List.copyOf(last) : exact;
  }

  private static boolean isWithin(LedgerMismatch finding, String line) {
    if (finding.toMs() == 0) {
      return true;
    }
    String[] words = line.split(" ", 3);
    long atMs = words.length < 2 || !words[1].matches("[0-9]+") ? 0 : Long.parseLong(words[1]);
    return finding.fromMs() <= atMs && atMs <= finding.toMs();
  }
}
