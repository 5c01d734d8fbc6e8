package dev.millrace.proving.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A TCP front of the database that passes bytes on and now and then breaks a connection in the
 * middle of an answer: the request was carried out, and its caller cannot know.
 */
final class AnswerCutter implements AutoCloseable {
  private static final int BACKLOG = 256;
  private static final int MOST_CONNECTIONS = 1_024;
  private static final int CHUNK_BYTES = 16 * 1_024;

  private final ServerSocket server;
  private final URI target;
  private final int cutEvery;
  private final RandomGenerator random;
  private final Semaphore places = new Semaphore(MOST_CONNECTIONS);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong cuts = new AtomicLong();

  private AnswerCutter(ServerSocket server, URI target, int cutEvery, RandomGenerator random) {
    this.server = server;
    this.target = target;
    this.cutEvery = cutEvery;
    this.random = random;
  }

  /**
   * Starts one on a free port of the loopback interface.
   *
   * @param cutEvery about one answer in so many is cut off, 0 for never
   */
  static AnswerCutter start(URI target, int cutEvery, RandomGenerator random) throws IOException {
    ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    AnswerCutter cutter = new AnswerCutter(server, target, cutEvery, random);
    thread("soak-front", cutter::accept);
    return cutter;
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** The number of answers that were cut off so far. */
  long cuts() {
    return cuts.get();
  }

  private void accept() {
    while (!server.isClosed()) { // ends: close() closes the socket
      try {
        Socket client = server.accept();
        if (places.tryAcquire()) {
          connect(client);
        } else {
          client.close();
        }
      } catch (IOException e) {
        // Closed, or a client that is gone already: the loop's condition tells which.
      }
    }
  }

  private void connect(Socket client) {
    open.add(client);
    Socket database;
    try {
      database = new Socket(target.getHost(), target.getPort());
      client.setTcpNoDelay(true);
      database.setTcpNoDelay(true);
    } catch (IOException e) { // The database is down.
      close(client);
      places.release();
      return;
    }
    open.add(database);
    thread("soak-requests", () -> copy(client, database, /* cut= */ false));
    thread(
        "soak-answers",
        () -> {
          copy(database, client, /* cut= */ true);
          places.release();
        });
  }

  private void copy(Socket from, Socket to, boolean cut) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length = in.read(chunk);
      while (length >= 0) { // ends: one of the two closes
        if (cut && isCut()) {
          out.write(chunk, 0, nextInt(length));
          return;
        }
        out.write(chunk, 0, length);
        length = in.read(chunk);
      }
    } catch (IOException e) {
      // One of the two is gone: so is the connection.
    } finally {
      close(from);
      close(to);
    }
  }

  private boolean isCut() {
    boolean cut = cutEvery > 0 && nextInt(cutEvery) == 0;
    if (cut) {
      cuts.incrementAndGet();
    }
    return cut;
  }

  private int nextInt(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed as far as this program is concerned.
    }
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    open.forEach(this::close);
  }
}
