package dev.millrace.proving.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Sends bytes on a connection of their own, and reads one answer strictly. */
final class RawExchange {
  /** Longest wait for an answer: longer than the server waits for a slow request. */
  private static final int MAX_WAIT_MS = 20_000;

  private static final int MAX_LINE = 16_384;
  private static final int MAX_LINES = 200;
  private static final int MAX_BODY = 1_000_000;

  private final InetSocketAddress address;

  RawExchange(URI server) {
    this.address = new InetSocketAddress(server.getHost(), server.getPort());
  }

  FuzzAnswer send(Hostile request) {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(MAX_WAIT_MS);
      // No waiting state is left behind: a campaign has more connections than there are ports.
      socket.setSoLinger(true, 0);
      socket.connect(address, MAX_WAIT_MS);
      try {
        socket.getOutputStream().write(request.bytes());
        if (request.ends()) {
          socket.shutdownOutput();
        }
      } catch (IOException e) {
        // It has heard enough; perhaps it has answered before.
      }
      return read(new BufferedInputStream(socket.getInputStream()));
    } catch (SocketTimeoutException e) {
      return new FuzzAnswer(FuzzAnswer.SILENT, "");
    } catch (IOException e) {
      return new FuzzAnswer(FuzzAnswer.CLOSED, "");
    }
  }

  private static FuzzAnswer read(InputStream in) throws IOException {
    String first;
    try {
      first = line(in);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      return new FuzzAnswer(FuzzAnswer.CLOSED, ""); // reset
    }
    if (first.isEmpty()) {
      return new FuzzAnswer(FuzzAnswer.CLOSED, "");
    }
    if (first.charAt(0) == 0) {
      return new FuzzAnswer(FuzzAnswer.BINARY, "");
    }
    if (!first.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      return new FuzzAnswer(FuzzAnswer.BROKEN, "status line: " + first);
    }
    int status = Integer.parseInt(first.substring(9, 12));
    long length = -1;
    boolean chunked = false;
    for (int i = 0; ; i++) {
      String header = line(in);
      if (header.isEmpty()) {
        break;
      }
      if (i == MAX_LINES || header.indexOf(':') < 1) {
        return new FuzzAnswer(FuzzAnswer.BROKEN, "header: " + header);
      }
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring(15).strip());
      }
      chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
    }
    if (status < 200) {
      return read(in); // 100 Continue, and then the answer
    }
    byte[] body = chunked ? chunks(in) : length < 0 ? new byte[0] : bytes(in, length);
    return new FuzzAnswer(status, new String(body, StandardCharsets.UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    while (next >= 0 && next != '\n' && line.size() < MAX_LINE) { // ends: it has a longest
      line.write(next);
      next = in.read();
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private static byte[] bytes(InputStream in, long length) throws IOException {
    if (length > MAX_BODY) {
      throw new IOException("a body of " + length + " bytes");
    }
    byte[] body = in.readNBytes((int) length);
    if (body.length < length) {
      throw new IOException("the body ends early");
    }
    return body;
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (body.size() < MAX_BODY) { // ends: it has a most
      int size = Integer.parseInt(line(in).strip(), 16);
      body.writeBytes(bytes(in, size));
      line(in);
      if (size == 0) {
        break;
      }
    }
    return body.toByteArray();
  }
}
