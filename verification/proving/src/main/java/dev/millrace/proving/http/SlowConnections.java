package dev.millrace.proving.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Connections that take their time: each sends a head a byte at a time and never finishes it. The
 * server closes them when it has had enough; then they come again.
 */
final class SlowConnections implements AutoCloseable {
  private static final byte[] HEAD =
      "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII);
  private static final long BEAT_MS = 500;

  private final InetSocketAddress address;
  private final SocketChannel[] channels;
  private final int[] sent;
  private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();

  SlowConnections(URI server, int count) {
    this.address = new InetSocketAddress(server.getHost(), server.getPort());
    this.channels = new SocketChannel[count];
    this.sent = new int[count];
    beat();
    Future<?> unused =
        beats.scheduleAtFixedRate(this::beat, BEAT_MS, BEAT_MS, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    for (int i = 0; i < channels.length; i++) {
      try {
        SocketChannel channel = channels[i];
        if (channel == null) {
          channel = SocketChannel.open(address);
          channels[i] = channel;
          sent[i] = 0;
        }
        byte next = sent[i] < HEAD.length ? HEAD[sent[i]] : (byte) 'x';
        channel.write(ByteBuffer.wrap(new byte[] {next}));
        sent[i]++;
      } catch (IOException e) {
        drop(i);
      }
    }
  }

  private void drop(int index) {
    SocketChannel channel = channels[index];
    channels[index] = null;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // It is gone either way.
      }
    }
  }

  @Override
  public void close() {
    beats.shutdownNow();
    try {
      boolean unused = beats.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (int i = 0; i < channels.length; i++) {
      drop(i);
    }
  }
}
