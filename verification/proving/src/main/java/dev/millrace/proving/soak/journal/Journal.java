package dev.millrace.proving.soak.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The journal of one process, in its order.
 *
 * @param header how the process was set up
 * @param lines all that was written completely, without the header
 */
public record Journal(JournalHeader header, List<JournalLine> lines) {
  /** How the names of the files end. */
  public static final String SUFFIX = ".journal";

  /** Keeps the lines as they are now. */
  public Journal {
    lines = List.copyOf(lines);
  }

  /**
   * Reads a file. A last line without its end was being written when the process was killed, and is
   * left out: an intent that is not complete was not yet acted on, and an answer that is not
   * complete leaves its operation without one.
   *
   * @throws JournalException if there is no header or a line in between cannot be read
   */
  public static Journal read(Path file) throws IOException {
    return parse(file.getFileName().toString(), Files.readString(file, StandardCharsets.UTF_8));
  }

  static Journal parse(String name, String text) {
    List<JournalLine> lines = new ArrayList<>();
    JournalHeader header = null;
    int number = 0;
    int from = 0;
    for (int to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      number++;
      JournalLine line = line(name, number, text.substring(from, to));
      from = to + 1;
      if (line instanceof JournalLine.Header first && header == null) {
        header = first.header();
      } else {
        lines.add(line);
      }
    }
    if (header == null) {
      throw new JournalException(name + " does not begin with a header", null);
    }
    return new Journal(header, lines);
  }

  private static JournalLine line(String name, int number, String text) {
    try {
      return JournalLines.parse(text);
    } catch (IllegalArgumentException e) {
      throw new JournalException(name + ", line " + number + ": " + e.getMessage(), e);
    }
  }

  /** Whether the process ended by itself, with everything written that it had to write. */
  public boolean isComplete() {
    return !lines.isEmpty() && lines.get(lines.size() - 1) instanceof JournalLine.End;
  }

  /** When the last line was written; a process that was killed lived at least so long. */
  public long lastMs() {
    return lines.isEmpty() ? 0 : lines.get(lines.size() - 1).atMs();
  }
}
