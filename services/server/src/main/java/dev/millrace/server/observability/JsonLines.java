package dev.millrace.server.observability;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Logs as JSON, one event a line, with the id of the request and of its trace. Nothing that is
 * logged is meant to hold a secret; what looks like a bearer token is struck out all the same.
 */
public final class JsonLines extends Formatter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SECRET =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{4,}");

  /** Longest message or stack trace: a line must stay a line for whoever collects it. */
  private static final int MAX_TEXT = 16_384;

  /** Lets everything that is logged in this process be written as lines of JSON. */
  public static void install() {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(new JsonLines());
    }
  }

  @Override
  public String format(LogRecord event) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", event.getInstant().toString());
    line.put("level", event.getLevel().getName());
    line.put("logger", String.valueOf(event.getLoggerName()));
    line.put("message", clean(formatMessage(event)));
    String request = Traces.request();
    if (request != null) {
      line.put("request", request);
    }
    List<String> ids = Traces.ids();
    if (!ids.isEmpty()) {
      line.put("trace", ids.get(0));
      line.put("span", ids.get(1));
    }
    Throwable thrown = event.getThrown();
    if (thrown != null) {
      line.put("error", clean(trace(thrown)));
    }
    try {
      return JSON.writeValueAsString(line) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts alone
    }
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static String clean(@Nullable String text) {
    String known = text == null ? "" : text;
    String shown = known.length() > MAX_TEXT ? known.substring(0, MAX_TEXT) + "…" : known;
    return SECRET.matcher(shown).replaceAll("$1 …");
  }
}
