package dev.millrace.proving.soak.journal;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One line of a journal: a letter, the time in epoch milliseconds, and what the letter calls for.
 * {@code toString} writes it and {@link JournalLines#parse} reads it.
 */
public sealed interface JournalLine {
  /** When it was written. */
  long atMs();

  /** The first line. */
  record Header(long atMs, JournalHeader header) implements JournalLine {
    @Override
    public String toString() {
      return "H " + atMs + " " + header;
    }
  }

  /** The operation of a line. */
  enum Kind {
    /** To charge. */
    ACQUIRE,
    /** To settle the difference between what was charged and what it cost. */
    SETTLE,
    /** To give everything back. */
    CANCEL
  }

  /**
   * Before something is done.
   *
   * @param op tells it from all others of the process
   * @param lease the operation that the lease began with, perhaps this one
   * @param postings what it does when it is done
   */
  record Intent(long atMs, long op, Kind kind, long lease, List<AccountAmount> postings)
      implements JournalLine {
    /** Keeps the postings as they are now. */
    public Intent {
      postings = List.copyOf(postings);
    }

    @Override
    public String toString() {
      return kind.name().charAt(0)
          + " "
          + atMs
          + " "
          + op
          + " "
          + lease
          + postings.stream().map(posting -> " " + posting).collect(Collectors.joining());
    }
  }

  /** After it: what the caller was told. */
  record Result(long atMs, long op, OperationOutcome verdict) implements JournalLine {
    @Override
    public String toString() {
      return "R " + atMs + " " + op + " " + verdict;
    }
  }

  /**
   * A write of this bucket was made, or may have been.
   *
   * @param sentMs when it was sent
   */
  record Written(long atMs, String bucket, long sentMs) implements JournalLine {
    @Override
    public String toString() {
      return "W " + atMs + " " + bucket + " " + sentMs;
    }
  }

  /** The answer of a write of this bucket was lost. */
  record LostAnswer(long atMs, String bucket) implements JournalLine {
    @Override
    public String toString() {
      return "U " + atMs + " " + bucket;
    }
  }

  /** A settlement could not be written, or nobody knows whether it was. */
  record NotSettled(long atMs, List<AccountAmount> postings) implements JournalLine {
    /** Keeps the postings as they are now. */
    public NotSettled {
      postings = List.copyOf(postings);
    }

    @Override
    public String toString() {
      return "F "
          + atMs
          + postings.stream().map(posting -> " " + posting).collect(Collectors.joining());
    }
  }

  /** A request was refused by one bucket; what this one was charged is being given back. */
  record GivenBack(long atMs, String bucket) implements JournalLine {
    @Override
    public String toString() {
      return "G " + atMs + " " + bucket;
    }
  }

  /** A process was killed, or started anew. */
  record Event(long atMs, String what) implements JournalLine {
    /** What is told when the database is killed. */
    public static final String DATABASE_KILLED = "database killed";

    @Override
    public String toString() {
      return "K " + atMs + " " + what;
    }
  }

  /** Something was thrown that nobody should ever see. */
  record Oddity(long atMs, String text) implements JournalLine {
    @Override
    public String toString() {
      return "X " + atMs + " " + text.replaceAll("\\R", " ");
    }
  }

  /** The last line of a process that ended by itself. */
  record End(long atMs) implements JournalLine {
    @Override
    public String toString() {
      return "E " + atMs;
    }
  }
}
