package dev.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class TextViewTest {
  private final StringWriter out = new StringWriter();

  private TextView view(Ansi ansi, boolean terminal) {
    return new TextView(new PrintWriter(out, true), ansi, terminal);
  }

  @Test
  void begin_withColours_isStyled() {
    view(Ansi.ON, true).begin(1, "Title", "Story.");

    assertThat(out.toString()).contains("\u001b[1m1  Title");
  }

  @Test
  void begin_longStory_isWrapped() {
    view(Ansi.OFF, false).begin(1, "Title", "word ".repeat(40).strip());

    assertThat(out.toString().lines()).hasSizeGreaterThan(3);
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 88);
  }

  @Test
  void waiting_onATerminal_redrawsOneLine() {
    view(Ansi.OFF, true).waiting(500, 2_000);

    assertThat(out.toString()).isEqualTo("\r   █████░░░░░░░░░░░░░░░ 1.500 s ");
  }

  @Test
  void waiting_elsewhere_printsNothing() {
    view(Ansi.ON, false).waiting(500, 2_000);

    assertThat(out.toString()).isEmpty();
  }
}
