package dev.millrace.dynamodb;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/**
 * A server on a socket that does to each request what a test says: answers, keeps silent, or hangs
 * up. It counts what arrives on the wire, below every HTTP client and its own ideas of retrying.
 */
public final class WireServer implements Closeable {
  /** What happens to a request. */
  public sealed interface Answer {
    /** Answers. */
    record Http(int status, String headers, String body) implements Answer {}

    /** Closes the connection without an answer. */
    record HangUp() implements Answer {}

    /** Never answers. */
    record Silence() implements Answer {}

    /** Says that more is to come and hangs up. */
    record Half(String body) implements Answer {}

    /** Success. */
    static Answer ok(String body) {
      return new Http(200, "", body);
    }

    /** An error by its code. */
    static Answer error(int status, String code) {
      return new Http(status, "", "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\"}");
    }
  }

  private final ServerSocket socket;
  private final IntFunction<Answer> script;
  private final List<String> operations = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();

  /** A server whose answer to the nth request, counted from 1, is {@code script.apply(n)}. */
  public WireServer(IntFunction<Answer> script) throws IOException {
    this.script = script;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  /** Where it listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  /** How many requests have arrived. */
  public int requests() {
    return operations.size();
  }

  /** Which operations were asked for, in order. */
  public List<String> operations() {
    return List.copyOf(operations);
  }

  /** What was asked, in order, as JSON. */
  public List<String> bodies() {
    return List.copyOf(bodies);
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        connections.add(connection);
        daemon(() -> serve(connection));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      while (answer(connection)) {}
    } catch (IOException e) {
      // the other side went
    }
  }

  private boolean answer(Socket connection) throws IOException {
    String head = head(connection.getInputStream());
    if (head.isEmpty()) {
      return false;
    }
    int length = Integer.parseInt(header(head, "content-length"));
    byte[] body = connection.getInputStream().readNBytes(length);
    int number;
    synchronized (operations) {
      bodies.add(new String(body, StandardCharsets.UTF_8));
      String target = header(head, "x-amz-target");
      operations.add(target.substring(target.indexOf('.') + 1));
      number = operations.size();
    }
    Answer answer = script.apply(number);
    if (answer instanceof Answer.Http http) {
      send(connection, http, http.body().getBytes(StandardCharsets.UTF_8).length);
      return true;
    }
    if (answer instanceof Answer.Half half) {
      send(connection, new Answer.Http(200, "", half.body()), half.body().length() + 10);
      return false;
    }
    if (answer instanceof Answer.Silence) {
      return connection.getInputStream().read() >= 0; // until the other side gives up
    }
    return false;
  }

  private static void send(Socket connection, Answer.Http http, int length) throws IOException {
    String head =
        "HTTP/1.1 %d X\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: %d\r\n%s\r\n"
            .formatted(http.status(), length, http.headers());
    connection.getOutputStream().write((head + http.body()).getBytes(StandardCharsets.UTF_8));
    connection.getOutputStream().flush();
  }

  /** The head of the next request, empty when there is none. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        return "";
      }
      head.append((char) c);
    }
    return head.toString();
  }

  private static String header(String head, String name) {
    for (String line : head.split("\r\n", -1)) {
      if (line.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
        return line.substring(name.length() + 1).trim();
      }
    }
    throw new IllegalArgumentException("no " + name + " in " + head);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "wire-server");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
