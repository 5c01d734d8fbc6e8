package dev.millrace.server.observability;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A log formatter that writes one JSON object per line, with the ids of the request and its trace.
 * Log messages have no secrets; anything that looks like a token is masked all the same.
 */
public final class JsonLogFormatter extends Formatter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SECRET =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{4,}");

  /** Longest message or stack trace, so that log collectors accept the line. */
  private static final int MAX_TEXT = 16_384;

  /** Sets the format of everything that this process logs. */
  public static void install() {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(new JsonLogFormatter());
    }
  }

  @Override
  public String format(LogRecord event) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", event.getInstant().toString());
    line.put("level", event.getLevel().getName());
    line.put("logger", String.valueOf(event.getLoggerName()));
    line.put("message", masked(formatMessage(event)));
    String request = RequestObserver.requestId();
    if (request != null) {
      line.put("request", request);
    }
    SpanContext span = Span.fromContext(RequestObserver.current()).getSpanContext();
    if (span.isValid()) {
      line.put("trace", span.getTraceId());
      line.put("span", span.getSpanId());
    }
    Throwable thrown = event.getThrown();
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      line.put("error", masked(trace.toString()));
    }
    try {
      return JSON.writeValueAsString(line) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // all values are texts
    }
  }

  private static String masked(@Nullable String message) {
    String text = message == null ? "" : message;
    String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
    return SECRET.matcher(shown).replaceAll("$1 …");
  }
}
