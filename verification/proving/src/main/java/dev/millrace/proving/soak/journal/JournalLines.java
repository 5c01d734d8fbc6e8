package dev.millrace.proving.soak.journal;

import dev.millrace.proving.soak.journal.JournalLine.Kind;
import java.util.Arrays;
import java.util.List;

/** Reads single lines. */
final class JournalLines {
  private JournalLines() {}

  /**
   * Reads what a line's {@code toString} writes.
   *
   * @throws IllegalArgumentException if it is no such line
   */
  static JournalLine parse(String line) {
    List<String> words = Arrays.asList(line.split(" ", -1));
    try {
      long atMs = Long.parseLong(words.get(1));
      List<String> rest = words.subList(2, words.size());
      return switch (words.get(0)) {
        case "H" -> new JournalLine.Header(atMs, JournalHeader.parse(rest));
        case "A" -> intent(atMs, Kind.ACQUIRE, rest);
        case "S" -> intent(atMs, Kind.SETTLE, rest);
        case "C" -> intent(atMs, Kind.CANCEL, rest);
        case "R" ->
            new JournalLine.Result(
                atMs, Long.parseLong(rest.get(0)), OperationOutcome.valueOf(rest.get(1)));
        case "W" -> new JournalLine.Written(atMs, rest.get(0), Long.parseLong(rest.get(1)));
        case "U" -> new JournalLine.LostAnswer(atMs, rest.get(0));
        case "F" -> new JournalLine.NotSettled(atMs, postings(rest));
        case "G" -> new JournalLine.GivenBack(atMs, rest.get(0));
        case "K" -> new JournalLine.Event(atMs, String.join(" ", rest));
        case "X" -> new JournalLine.Oddity(atMs, String.join(" ", rest));
        case "E" -> new JournalLine.End(atMs);
        default -> throw new IllegalArgumentException("no line begins with " + words.get(0));
      };
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException("'" + line + "' is no line of a journal", e);
    }
  }

  private static JournalLine intent(long atMs, Kind kind, List<String> rest) {
    return new JournalLine.Intent(
        atMs,
        Long.parseLong(rest.get(0)),
        kind,
        Long.parseLong(rest.get(1)),
        postings(rest.subList(2, rest.size())));
  }

  private static List<AccountAmount> postings(List<String> words) {
    return words.stream().map(AccountAmount::parse).toList();
  }
}
