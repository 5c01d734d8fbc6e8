package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Logs as lines of JSON. */
class JsonLogFormatterTest {
  @Test
  void format_anyEvent_isOneLineThatReadsBack() throws Exception {
    LogRecord event = new LogRecord(Level.WARNING, "two\nlines, \"quoted\" {0}");
    event.setParameters(new Object[] {"filled"});
    event.setLoggerName("dev.millrace.server");
    event.setThrown(new IllegalStateException("why"));
    String line = new JsonLogFormatter().format(event);
    assertThat(line).endsWith("}\n").hasLineCount(1);
    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(read.get("message").asText()).isEqualTo("two\nlines, \"quoted\" filled");
    assertThat(read.get("level").asText()).isEqualTo("WARNING");
    assertThat(read.get("error").asText()).contains("IllegalStateException: why");
  }

  @Test
  void format_messageWithAToken_strikesItOut() {
    LogRecord event = new LogRecord(Level.INFO, "sent Authorization: Bearer abc.def-123 to it");
    assertThat(new JsonLogFormatter().format(event)).doesNotContain("abc.def").contains("Bearer …");
  }
}
