package dev.millrace.proving.soak.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends to a journal. Each line is handed to the operating system before the method returns, so
 * that the death of the process loses none; nothing is forced to the disk, because the machine is
 * not what dies.
 */
public final class JournalWriter implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final AtomicLong ops = new AtomicLong();

  private JournalWriter(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Begins a new file. */
  public static JournalWriter create(Path directory, JournalHeader header) {
    Path file = directory.resolve(header.name() + Journal.SUFFIX);
    try {
      JournalWriter writer =
          new JournalWriter(
              file,
              FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
      writer.append(new JournalLine.Header(now(), header));
      return writer;
    } catch (IOException e) {
      throw new JournalException("cannot begin " + file, e);
    }
  }

  /** An operation is about to begin a lease; its id. */
  public long beginLease(List<AccountAmount> postings) {
    long op = ops.incrementAndGet();
    append(new JournalLine.Intent(now(), op, JournalLine.Kind.ACQUIRE, op, postings));
    return op;
  }

  /** An operation on a lease is about to begin; its id. */
  public long begin(JournalLine.Kind kind, long lease, List<AccountAmount> postings) {
    long op = ops.incrementAndGet();
    append(new JournalLine.Intent(now(), op, kind, lease, postings));
    return op;
  }

  /** What an operation was told. */
  public void end(long op, OperationOutcome verdict) {
    append(new JournalLine.Result(now(), op, verdict));
  }

  /** See {@link JournalLine.Written}. */
  public void written(String bucket, long tookMs) {
    long now = now();
    append(new JournalLine.Written(now, bucket, now - tookMs));
  }

  /** See {@link JournalLine.LostAnswer}. */
  public void lostAnswer(String bucket) {
    append(new JournalLine.LostAnswer(now(), bucket));
  }

  /** See {@link JournalLine.NotSettled}. */
  public void notSettled(List<AccountAmount> postings) {
    append(new JournalLine.NotSettled(now(), postings));
  }

  /** See {@link JournalLine.GivenBack}. */
  public void givenBack(String bucket) {
    append(new JournalLine.GivenBack(now(), bucket));
  }

  /** See {@link JournalLine.Event}. */
  public void event(String what) {
    append(new JournalLine.Event(now(), what));
  }

  /** See {@link JournalLine.Oddity}. */
  public void oddity(Throwable thrown) {
    append(new JournalLine.Oddity(now(), thrown.toString()));
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private synchronized void append(JournalLine line) {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) { // ends: a file takes all, or fails
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new JournalException("cannot write " + file, e);
    }
  }

  /** Everything is written that had to be written. */
  public void complete() {
    append(new JournalLine.End(now()));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new JournalException("cannot close " + file, e);
    }
  }
}
