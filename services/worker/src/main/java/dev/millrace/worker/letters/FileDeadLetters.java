package dev.millrace.worker.letters;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.internal.DestinationJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Dead letters in a file, a line of JSON for each, on the disk before {@link #accept} returns. A
 * crash may leave half a line at the end: what comes next begins a new one. Several processes may
 * share the file: each locks it while it writes.
 */
public final class FileDeadLetters implements Consumer<List<DeadLetter>> {
  private final Path file;

  /** Those in {@code file}, which is made with the first letter; its directory must exist. */
  public FileDeadLetters(Path file) {
    this.file = file;
  }

  @Override
  public synchronized void accept(List<DeadLetter> letters) {
    String lines =
        letters.stream().map(l -> DestinationJson.of(l) + "\n").collect(Collectors.joining());
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      FileLock unused = channel.lock(); // until the channel is closed
      long end = channel.size();
      String start = endsInALine(channel, end) ? "" : "\n";
      ByteBuffer bytes = ByteBuffer.wrap((start + lines).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        end += channel.write(bytes, end);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write dead letters to " + file, e);
    }
  }

  private static boolean endsInALine(FileChannel channel, long size) throws IOException {
    if (size == 0) {
      return true;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    return channel.read(last, size - 1) == 1 && last.get(0) == '\n';
  }
}
