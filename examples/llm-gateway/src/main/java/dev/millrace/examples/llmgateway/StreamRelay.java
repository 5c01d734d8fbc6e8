package dev.millrace.examples.llmgateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.millrace.llm.CallEnd;
import dev.millrace.llm.MeteredCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Hands a stream on, event by event, and settles it when the provider tells what it has counted.
 *
 * <p>When the caller hangs up, the rest is read all the same: the provider goes on and is paid for
 * it, and only its last event tells how much. A gateway that stops reading has to count by itself:
 * that is {@link CallEnd#cancelled()}.
 */
final class StreamRelay {
  private static final String DATA = "data: ";

  private final HttpExchange exchange;
  private final MeteredCall metered;
  private boolean gone;

  StreamRelay(HttpExchange exchange, MeteredCall metered, Map<String, String> fields)
      throws IOException {
    this.exchange = exchange;
    this.metered = metered;
    fields.forEach(exchange.getResponseHeaders()::set);
    exchange.getResponseHeaders().set("Content-Type", Http.STREAM_TYPE);
    exchange.sendResponseHeaders(200, 0);
  }

  void relay(Stream<String> lines) {
    lines.forEach(
        line -> {
          meter(line);
          write(line + "\n");
        });
    // Does nothing when it was settled: not every provider tells what it has counted.
    metered.end(CallEnd.answered());
  }

  private void meter(String line) {
    if (!line.startsWith(DATA + "{")) {
      return;
    }
    JsonNode event;
    try {
      event = Http.JSON.readTree(line.substring(DATA.length()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (event.hasNonNull("usage")) {
      metered.end(CallEnd.used(Gateway.usage(event)));
    } else {
      // Charges more while the stream is longer than what was reserved.
      metered.produced(event.at("/choices/0/delta/content").asText());
    }
  }

  private void write(String line) {
    if (gone) {
      return;
    }
    try {
      exchange.getResponseBody().write(line.getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
    } catch (IOException e) {
      gone = true;
    }
  }
}
