package dev.millrace.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP relay before a store that can take the store away: silently, so that connections are there
 * and nothing comes back, or by closing them and refusing new ones.
 */
final class TcpGate implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  /** Most connections that wait to be accepted. */
  private static final int BACKLOG = 512;

  private final InetSocketAddress target;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile ServerSocket listener;
  private volatile boolean frozen;
  private volatile boolean refusing;
  private volatile boolean closed;

  TcpGate(URI target) throws IOException {
    this.target = new InetSocketAddress(target.getHost(), target.getPort());
    this.listener = listen(0);
    this.port = listener.getLocalPort();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** From now on nothing passes in either direction, and nobody is told. */
  void freeze() {
    frozen = true;
  }

  /** Closes all connections, and refuses new ones. */
  void refuse() throws IOException {
    refusing = true; // before the sockets are closed: one that is accepted now closes itself
    listener.close();
    closeSockets();
  }

  /** The store is back. What was held meanwhile passes, unless its sender has hung up. */
  void open() throws IOException {
    synchronized (this) {
      frozen = false;
      notifyAll();
    }
    if (listener.isClosed()) {
      refusing = false;
      listener = listen(port);
    }
  }

  private ServerSocket listen(int wanted) throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), BACKLOG);
    start(() -> accept(socket));
    return socket;
  }

  private void accept(ServerSocket from) {
    while (!from.isClosed()) { // ends: with the listener
      try {
        Socket near = from.accept();
        keep(near);
        awaitOpen();
        Socket far = new Socket();
        keep(far);
        far.connect(target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        start(() -> copy(near, far));
        start(() -> copy(far, near));
      } catch (IOException e) {
        // The listener was closed, or the store is gone: whoever connects next is told.
      }
    }
  }

  private void keep(Socket socket) throws IOException {
    sockets.add(socket);
    if (refusing || closed) {
      socket.close(); // perhaps it came after the others were closed
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(buffer);
      while (read >= 0) { // ends: with the connection
        awaitOpen();
        out.write(buffer, 0, read);
        read = in.read(buffer);
      }
    } catch (IOException e) {
      // One side has hung up: so does the other.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private synchronized void awaitOpen() throws IOException {
    try {
      while (frozen && !closed) { // ends: when it is opened or closed
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "tcp-gate");
    thread.setDaemon(true);
    thread.start();
  }

  private void closeSockets() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    listener.close();
    closeSockets();
  }
}
